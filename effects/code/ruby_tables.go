package code

const rubyKeywords = `BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in
	module next nil not or redo rescue retry return self super then true undef unless until when while yield`

const rubyPure = `JSON CSV Math Set Time Date DateTime Comparable Enumerable Integer Float String Array Hash Symbol Rational
	Complex Random SecureRandom Digest Base64 StringIO OpenStruct Struct Range NilClass TrueClass FalseClass
	Numeric Regexp MatchData StandardError ArgumentError RuntimeError KeyError TypeError IndexError Exception Benchmark
	json csv set time date digest securerandom base64 stringio ostruct bigdecimal pp prettyprint benchmark matrix prime
	English forwardable singleton observer delegate erb optparse abbrev strscan zlib shellwords BigDecimal PP Shellwords
	URI uri digest.md5 digest.sha1 digest.sha2 minitest.autorun test.unit tsort timeout Timeout`

const rubyModules = `File Dir FileUtils IO Kernel Process Open3 Net URI.open Socket TCPSocket TCPServer UDPSocket UNIXSocket
	OpenSSL ENV ARGV ARGF STDIN STDOUT STDERR Marshal ObjectSpace Object Module Class BasicObject Proc Method Binding
	Signal Thread Fiber GC RubyVM Pathname Tempfile Etc PTY Fiddle FFI WIN32OLE DRb YAML Psych PStore SQLite3 PG Mysql2
	Sequel ActiveRecord Redis Mongo Aws Git Rugged Faraday HTTParty RestClient Excon Mechanize ERB Gem Bundler Rake
	fileutils open3 net.http net.https net.smtp net.ftp net.ssh open-uri socket openssl pathname tempfile tmpdir etc pty fiddle ffi
	yaml psych pstore sqlite3 pg mysql2 sequel active_record redis mongo aws-sdk-s3 git faraday httparty rest-client
	find Find rake bundler drb io.console rubygems Monitor Mutex Queue Ractor Zlib.GzipWriter Warning TracePoint`

const rubyForbidden = `const_get class_eval instance_eval module_eval instance_exec class_exec eval binding
	instance_variable_get instance_variable_set define_method define_singleton_method remove_method undef_method
	const_missing method_missing singleton_class unbind instance_method public_instance_method to_proc _load
	superclass ancestors constants file remove_const remote_const`

const rubyHarmless = `new each each_with_index each_with_object each_pair each_key each_value each_slice each_cons each_line
	each_char each_byte map collect flat_map select filter reject reduce inject sum min max min_by max_by minmax sort
	sort_by group_by partition zip take drop take_while drop_while first last count size length tally uniq compact
	flatten reverse rotate shuffle sample push pop shift unshift append prepend insert concat delete_at delete_if keep_if
	include? member? key? has_key? value? has_value? empty? any? all? none? one? find find_all detect index rindex find_index
	keys values key fetch dig store merge merge! update to_h to_a to_s to_i to_f to_r to_c to_sym to_json to_str to_ary
	transform_values transform_keys invert slice except filter_map each_entry chunk_while slice_when join split lines
	chars bytes strip lstrip rstrip chomp chop squeeze gsub sub gsub! sub! tr tr_s delete upcase downcase
	capitalize swapcase upcase! downcase! strip! chomp! center ljust rjust start_with? end_with? match match? scan
	=~ succ next pred ord chr hex oct round ceil floor truncate abs divmod div modulo pow times upto downto step even?
	odd? zero? positive? negative? nil? is_a? kind_of? instance_of? respond_to? class object_id hash inspect dup clone
	freeze frozen? tap then yield_self itself call call! curry lambda? arity now today year month day hour min sec wday
	yday strftime iso8601 to_date to_time parse generate pretty_generate headers read gets readline readlines write puts
	print printf close eof? rewind flush sync string pos seek each_entry lazy force with_index with_object pack unpack
	unpack1 encode force_encoding encoding valid_encoding? unicode_normalize bytesize byteslice hexdigest digest
	base64digest message backtrace full_message captures named_captures pre_match post_match begin end offset values_at
	cycle product combination permutation transpose bsearch sum assoc rassoc default default= compare_by_identity
	superset? subset? disjoint? intersect? add add? intersection union difference format extname basename dirname
	host port path scheme query fragment user to_path status code body gcd lcm fdiv quo numerator denominator clamp
	infinite? nan? finite? real imaginary then between? on parse! banner separator strict_decode64 strict_encode64
	encode64 decode64 rand real utime level raise ljust succ! replace clear sort! map! uniq! reverse! select! reject!
	compact! flatten! shuffle! min_max sync= squeeze! tally_by step public private protected attr_reader attr_writer
	attr_accessor module_function include extend loop proc lambda exception bind join value alive? ok? success? exitstatus
	read_nonblock tty? isatty winsize argv`

const rubyMethods = `
.unlink,.rmtree,.rmdir,.rm,.rm_rf,.rm_r,.rm_f,.remove_entry deletes*:self
.delete delete
.system,.popen,.capture2,.capture3,.capture2e,.spawn,.exec,.pipeline popen:0
.write_text,.binwrite writes:0
.mkpath,.mkdir,.mkdir_p,.touch,.symlink,.make_symlink creates:0
.chmod,.chown,.setuid privilege:0
.rename,.mv deletes:self writes:0
.kill kills:self
.send,.public_send,.__send__,.try send
.method,.public_method dynamic
.eval,.instance_eval,.class_eval,.module_eval,.load dynamic
.execute,.query,.exec_params,.exec_query database:0
.post,.put,.patch,.request,.get_response,.connect,.post_form,.start sends:0
.open open:0
.glob,.children,.entries reads:0
.drop_table,.destroy_all,.delete_all,.drop,.flushall,.flushdb database:self
`

const rubyTable = `
puts,print,p,pp,printf,putc,sprintf,format,raise,fail,loop,lambda,proc,rand,srand,sleep,exit,exit!,abort,at_exit,block_given?,catch,throw pure
gets,readline,readlines,Integer,Float,String,Array,Hash,Rational,Complex,warn,caller,__method__,freeze,attr_reader,attr_writer,attr_accessor,private,public,protected,include,extend,module_function,using,refine pure
ARGV,STDIN,STDOUT,STDERR,$stdin,$stdout,$stderr,__FILE__,__dir__,Thread.new,Mutex.new,Queue.new,Process.pid,Process.clock_gettime,Process.CLOCK_MONOTONIC,Object.new,Class.new,Module.new,Proc.new,Monitor.new pure
STDIN.read,STDIN.gets,STDIN.each_line,STDIN.readlines,STDOUT.puts,STDOUT.write,STDERR.puts,STDOUT.sync,STDOUT.flush,ARGF.read,ARGF.each_line pure
ARGV.first,ARGV.shift,ARGV.length,ARGV.size,ARGV.each,ARGV.empty?,ARGV.map,ARGV.last,ARGV.join pure
require,require_relative require
load,autoload loads:0
eval,instance_eval,class_eval,Kernel.eval,RubyVM.InstructionSequence.eval,RubyVM.InstructionSequence.compile eval:0
binding,method,define_method,instance_variable_set,const_get,Object.const_get,Kernel.const_get,Module.const_get,ObjectSpace.each_object,Marshal.load,YAML.load,YAML.unsafe_load,Psych.load,ERB.new,TracePoint.new,set_trace_func,callcc dynamic
send,public_send,__send__,Kernel.send,Object.send,Kernel.public_send,File.send,FileUtils.send,IO.send,Dir.send,Process.send,File.public_send,FileUtils.public_send,Kernel.__send__ send
YAML.safe_load,YAML.dump,YAML.load_stream,Marshal.dump pure
YAML.load_file reads:0 dynamic
YAML.safe_load_file,JSON.load_file,CSV.read,CSV.readlines,CSV.foreach,CSV.table reads:0
CSV.open open:0
$stdout.puts,$stderr.puts,$stdout.print,$stdout.write,$stdout.flush,$stdout.sync,$stdin.read,$stdin.gets,$stdin.each_line,$stdin.readlines,ARGV.inspect,ARGV.to_a,ARGV.include?,ARGV.each_with_index,ARGV.reverse,ARGV.sort pure
` + "`" + `,system,exec,spawn,Kernel.system,Kernel.exec,Kernel.spawn,Kernel.` + "`" + `,Process.spawn,Process.exec,IO.popen,Open3.capture2,Open3.capture3,Open3.capture2e,Open3.popen3,Open3.popen2,Open3.popen2e,Open3.pipeline,PTY.spawn,sh popen:0
fork,Process.fork,Kernel.fork,Process.daemon executes:9
syscall,Fiddle.dlopen,Fiddle.Handle.new,Fiddle.Function.new,FFI.Library loads-native:0
open,Kernel.open,IO.open,File.open,File.new,Pathname.open,URI.open open:0
File.read,File.readlines,File.foreach,File.binread,IO.read,IO.readlines,IO.foreach,IO.binread reads:0
File.write,File.binwrite,IO.write,IO.binwrite,File.truncate,File.utime writes:0
File.delete,File.unlink,Dir.delete,Dir.rmdir,Dir.unlink,FileUtils.rm,FileUtils.rm_f,FileUtils.remove,FileUtils.rmdir,FileUtils.safe_unlink deletes:9
FileUtils.rm_rf,FileUtils.rm_r,FileUtils.rmtree,FileUtils.remove_dir,FileUtils.remove_entry,FileUtils.remove_entry_secure,FileUtils.remove_file deletes*:9
File.rename,FileUtils.mv,FileUtils.move deletes:0 writes:1
FileUtils.cp,FileUtils.copy,FileUtils.copy_file,FileUtils.install,IO.copy_stream reads:0 writes:1
FileUtils.cp_r,FileUtils.copy_entry reads*:0 writes*:1
FileUtils.mkdir,FileUtils.mkdir_p,FileUtils.makedirs,FileUtils.touch,Dir.mkdir,File.mkfifo creates:9
FileUtils.ln,FileUtils.ln_s,FileUtils.ln_sf,FileUtils.symlink,File.symlink,File.link reads:0 creates:1
File.chmod,File.chown,File.lchmod,FileUtils.chmod,FileUtils.chmod_R,FileUtils.chown,FileUtils.chown_R,Process.setuid,Process.setgid,Process.Sys,Process.UID,Process.GID,Process.euid,Process.initgroups privilege:9
File.exist?,File.file?,File.directory?,File.join,File.basename,File.dirname,File.extname,File.expand_path,File.size,File.stat,File.mtime,File.readable?,File.writable?,File.absolute_path,File.executable?,File.symlink?,File.zero?,Dir.exist?,Dir.pwd,Dir.home,File.SEPARATOR,Dir.empty?,File.split pure
Dir.glob,Dir.entries,Dir.children,Dir.each_child,Dir.foreach,Dir.new,Dir.open,File.readlink,Find.find,Dir reads:0
Dir.chdir,FileUtils.cd,ENV.store,ENV.update,ENV.delete,ENV.replace,ENV.merge!,trap,Signal.trap unknown
Dir.mktmpdir,Tempfile.new,Tempfile.create,Tempfile.open creates:9
Pathname,Pathname.new new:Pathname:0
Pathname.unlink,Pathname.delete,Pathname.rmdir deletes:self
Pathname.rmtree deletes*:self
Pathname.write,Pathname.binwrite writes:self
Pathname.read,Pathname.readlines,Pathname.each_line,Pathname.children,Pathname.entries,Pathname.glob reads:self
Pathname.mkpath,Pathname.mkdir creates:self
Process.kill kills:1
Process.wait,Process.detach,Process.clock_getres,Signal.list,Etc.getlogin,Etc.nprocessors,GC.start,GC.stat,Thread.current pure
ENV environ
ENV.fetch environment:0
ENV.to_h,ENV.each,ENV.to_a,ENV.map,ENV.inspect,ENV.keys,ENV.values environment:9
ENV.key?,ENV.include? pure
Net.HTTP.get,Net.HTTP.get_response,URI.open fetch:0
Net.HTTP.start,Net.HTTP.new,Net.HTTP.post,Net.HTTP.post_form,Net.HTTP.Get.new,Net.HTTP.Post.new,Net.HTTP.Put.new,Net.HTTP.Delete.new,Net.SMTP.start,Net.SMTP.new,Net.FTP.open,Net.FTP.new,Net.SSH.start,TCPSocket.new,TCPSocket.open,TCPServer.new,TCPServer.open,UDPSocket.new,UNIXSocket.new,Socket.tcp,Socket.new,Faraday.new,Faraday.get,Faraday.post,HTTParty.get,HTTParty.post,RestClient.get,RestClient.post,RestClient.delete sends:0 new:remote:0
SQLite3.Database.new,SQLite3.Database.open writes:0 new:db:0
PG.connect,PG.Connection.new,Mysql2.Client.new,Sequel.connect,Sequel.sqlite,ActiveRecord.Base.establish_connection,Redis.new,Mongo.Client.new sends:0 new:db:0
db.execute,db.exec,db.query,db.prepare,db.run,db.execute_batch database:0
Aws.S3.Client.new,Aws.S3.Resource.new,Aws.EC2.Client.new cloud:9 new:boto3.object:9
Git.open,Git.clone,Git.init,Rugged.Repository.new executes:9
`
