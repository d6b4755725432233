package code

const perlKeywords = `and cmp continue do else elsif eq for foreach ge given goto gt if last le lt my ne next no not or our
	package redo return sub unless until use when while x xor local state BEGIN END INIT CHECK`

const perlPure = `strict warnings utf8 feature constant integer bigint bignum vars lib List.Util Scalar.Util Data.Dumper
	JSON.PP JSON JSON.XS Time.Local Time.HiRes Time.Piece POSIX Text.Wrap Text.ParseWords Getopt.Long Encode MIME.Base64
	Digest.MD5 Digest.SHA Math.Trig Math.BigInt Math.BigFloat Carp Term.ANSIColor Unicode.Normalize open parent base overload
	Text.CSV Hash.Util Test.More File.Basename File.Spec File.Spec.Functions Cwd Benchmark sigtrap diagnostics autodie experimental
	v5 English Exporter Text.Tabs Sys.Hostname`

const perlModules = `CORE IO.File IO.Handle IO.Socket IO.Socket.INET IO.Socket.SSL Socket LWP.UserAgent LWP.Simple HTTP.Tiny HTTP.Request
	Net.FTP Net.SMTP Net.SSH File.Path File.Copy File.Find File.Temp File.Slurp Path.Tiny IPC.Open2 IPC.Open3 IPC.Run
	DBI DBD Storable Safe threads DynaLoader XSLoader Inline Fcntl Errno Symbol B main UNIVERSAL FileHandle Opcode
	Archive.Tar Mojo.UserAgent WWW.Mechanize Proc.ProcessTable Win32`

const perlForbidden = `can AUTOLOAD DESTROY import VERSION`

const perlHarmless = `new push pop shift keys values each print printf say close join split encode decode pretty canonical utf8 indent
	epoch year mon mday hour min sec ymd hms strftime now add hexdigest b64digest digest getline getlines eof binmode
	autoflush bdiv badd bmul bsub bstr is_zero copy content status is_success code message header decoded_content ok is
	like diag done_testing plan`

const perlMethods = `
.unlink,.remove,.remove_tree,.rmdir deletes*:self
.spew,.spew_utf8,.append,.write writes:self
.slurp,.slurp_utf8,.lines reads:self
.mkpath,.touch,.mkdir creates:self
.post,.put,.delete,.request,.mirror,.connect,.send,.mail,.data,.head,.patch sends:0
.get fetch:0
.do,.prepare,.selectall_arrayref,.selectrow_array,.selectrow_hashref database:0
.execute,.commit,.finish,.fetchrow_array,.fetchrow_hashref,.disconnect pure
.reval,.rdo dynamic
.kill kills:self
`

const perlTable = `
print,printf,say,sprintf,push,pop,shift,unshift,splice,keys,values,each,join,map,grep,sort,reverse,scalar,wantarray,length,lc,uc,lcfirst,ucfirst pure
index,rindex,substr,abs,int,sqrt,sin,cos,atan2,exp,log,hex,oct,ord,chr,rand,srand,time,localtime,gmtime,die,warn,exit,defined,undef,exists,delete pure
ref,bless,chomp,chop,pos,quotemeta,pack,unpack,vec,lock,prototype,caller,close,closedir,eof,binmode,fileno,seek,tell,select,read,getc,readline,readdir,sleep,split,local,study,reset,tie,untie,tied,wait,waitpid,times,getppid,getpwuid,getpwnam,getlogin,sysread,syswrite,flock,fc,stat,lstat,alarm pure
STDIN,STDOUT,STDERR,ARGV,DATA,@ARGV,$_,@_,$0,$1,$2,$3,%_,__FILE__,__PACKAGE__,__LINE__,croak,carp,confess,Dumper,$a,$b,qw,lib pure
encode_json,decode_json,to_json,from_json,first,sum,sum0,max,min,maxstr,minstr,uniq,uniqnum,shuffle,any,all,none,reduce,pairs,blessed,looks_like_number,reftype,dualvar,encode_base64,decode_base64,md5_hex,sha1_hex,sha256_hex,strftime,floor,ceil,fmod,mktime,timelocal,timegm,GetOptions,basename,dirname,fileparse,catfile,catdir,getcwd,cwd,abs_path,encode,decode,wrap,hostname,ok,is,isnt,like,is_deeply,done_testing,plan,diag,note pure
POSIX.floor,POSIX.ceil,POSIX.strftime,POSIX.fmod,POSIX.INT_MAX,List.Util.sum,List.Util.max,List.Util.min,List.Util.first,List.Util.shuffle,Data.Dumper.Dumper,File.Basename.basename,Cwd.getcwd,JSON.PP.new,JSON.new,Time.HiRes.time,File.Spec.catfile pure
POSIX.system,POSIX.execvp,POSIX.execv,POSIX.execl argv:0
POSIX._exit,POSIX.getpid,POSIX.uname pure
POSIX.kill kills:0
POSIX.setuid,POSIX.setgid privilege:0
POSIX.unlink,POSIX.remove,POSIX.rmdir deletes:0
POSIX.rename deletes:0 writes:1
POSIX.open,POSIX.creat writes:0
POSIX.dup2,POSIX.fork,POSIX.getenv,POSIX.mkfifo,POSIX.sigaction unknown
eval,CORE.eval eval:0
require,do loads:0
` + "`" + `,system,exec,qx,CORE.system,CORE.exec,readpipe popen:0
fork,syscall,dbmopen executes:9
open,CORE.open,sysopen open:1
unlink,CORE.unlink,rmdir,CORE.rmdir deletes:9
rmtree,remove_tree,File.Path.rmtree,File.Path.remove_tree deletes*:9
rename,move,mv,File.Copy.move deletes:0 writes:1
copy,cp,File.Copy.copy,File.Copy.cp reads:0 writes:1
mkdir,mkpath,make_path,File.Path.make_path,File.Path.mkpath,tempfile,tempdir,File.Temp.new,File.Temp.tempfile creates:0
symlink,link reads:0 creates:1
truncate,utime writes:9
chmod,chown,chroot,umask,setpriority,setpgrp privilege:9
opendir,glob,readlink,read_file,slurp,File.Slurp.read_file reads:9
write_file,append_file,File.Slurp.write_file writes:0
find,finddepth,File.Find.find reads:1
kill kills:9
socket,connect,bind,listen,accept,send,recv,setsockopt,socketpair,shutdown sends:9
get,head,getprint,LWP.Simple.get fetch:0
getstore,mirror,LWP.Simple.getstore,LWP.Simple.mirror receives:0 writes:1
LWP.UserAgent.new,HTTP.Tiny.new,HTTP.Request.new,Mojo.UserAgent.new,WWW.Mechanize.new,IO.Socket.INET.new,IO.Socket.SSL.new,Net.FTP.new,Net.SMTP.new,Net.SSH.new sends:9 new:remote:9
DBI.connect sends:0 new:db:0
IO.File.new,FileHandle.new open:0
open2,open3,IPC.Open3.open3,IPC.Open2.open2,run,capture argv:2
Path.Tiny.path,path new:pathtiny:0
%ENV,$ENV environ
@INC,%INC,$INC,%SIG,$SIG,chdir unknown
retrieve,thaw,Storable.retrieve,Storable.thaw,DynaLoader.bootstrap dynamic
`
