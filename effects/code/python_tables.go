package code

const pythonKeywords = `and as assert async await break class continue def del elif else except finally for from global
	if import in is lambda nonlocal not or pass raise return try while with yield True False None`

// Modules that only compute. What they import themselves is kept out by plainMembers.
const pythonPure = `json re csv math cmath statistics collections itertools functools datetime string textwrap decimal
	fractions random hashlib hmac base64 binascii struct time calendar typing typing_extensions enum dataclasses pprint
	heapq bisect unicodedata difflib html urllib.parse abc argparse contextlib uuid secrets zlib warnings keyword colorsys
	numbers copy zoneinfo collections.abc graphlib reprlib fnmatch stat errno ipaddress array __future__ os.path
	locale getopt optparse tomllib`

// All other modules that are known; what their functions do is in the table.
const pythonModules = `os sys io subprocess shutil pathlib socket requests httpx aiohttp urllib urllib.request urllib3
	http http.client http.server smtplib ftplib telnetlib paramiko fabric builtins importlib ctypes cffi pickle marshal
	shelve dill cloudpickle joblib code codeop runpy pty signal multiprocessing threading asyncio tempfile glob zipfile
	tarfile gzip bz2 lzma sqlite3 psycopg2 psycopg pymysql MySQLdb mysql mysql.connector sqlalchemy pymongo redis boto3
	botocore google azure git pygit2 docker kubernetes psutil getpass pwd grp resource fcntl mmap platform logging
	traceback inspect types gc operator ast dis tokenize compileall zipimport pkgutil site pip setuptools webbrowser
	yaml configparser xml xml.etree xml.etree.ElementTree numpy pandas fileinput linecache codecs cryptography
	concurrent concurrent.futures socketserver ssl select selectors imaplib poplib nntplib xmlrpc winreg crypt syslog
	atexit shlex pdb timeit unittest doctest sched queue weakref crontab keyring dotenv tqdm`

const pythonForbidden = `__class__ __subclasses__ __globals__ __builtins__ __dict__ __import__ __getattribute__ __reduce__
	__reduce_ex__ __code__ __mro__ __base__ __bases__ __loader__ __spec__ __closure__ __func__ __self__ __wrapped__
	gi_frame gi_code cr_frame f_globals f_locals f_builtins f_back tb_frame tb_next func_globals func_code mro modules
	_getframe attrgetter methodcaller FileType get_type_hints ForwardRef`

// Methods that only compute, or act on files that are open already.
const pythonHarmless = `append extend insert pop popitem clear copy count index sort reverse remove discard add update get
	items keys values setdefault fromkeys split rsplit splitlines join strip lstrip rstrip lower upper title capitalize
	casefold swapcase startswith endswith find rfind rindex format format_map encode decode isdigit isalpha isalnum
	isspace islower isupper isnumeric isdecimal isidentifier istitle center ljust rjust zfill expandtabs partition
	rpartition translate maketrans hex fromhex union intersection difference symmetric_difference issubset issuperset
	isdisjoint intersection_update difference_update bit_length to_bytes from_bytes conjugate real imag is_integer
	as_integer_ratio read readline readlines write writelines close flush seek tell truncate fileno isatty readable
	writable closed group groups groupdict start end span match search sub subn findall finditer fullmatch pattern flags
	strftime isoformat timestamp date time year month day hour minute second weekday isoweekday isocalendar toordinal
	total_seconds days seconds astimezone tzinfo utcoffset utctimetuple timetuple most_common elements subtract total
	popleft appendleft extendleft rotate move_to_end writerow writerows writeheader fieldnames dialect line_num
	digest hexdigest block_size hashable name value args msg lineno colno pos doc errno strerror filename message
	with_traceback add_argument parse_args add_subparsers add_parser set_defaults add_mutually_exclusive_group
	add_argument_group print_help print_usage error quantize sqrt ln log10 exp normalize numerator denominator
	limit_denominator getvalue getbuffer stem suffix suffixes parts anchor as_posix as_uri relative_to is_relative_to
	is_absolute parent parents drive with_name with_suffix with_stem exists is_file is_dir is_symlink is_mount stat st_size st_mtime
	st_mode samefile netloc scheme path query fragment params hostname port username geturl _replace _asdict _fields
	_make text tag attrib tail iter itertext findtext sections options has_option has_section getint getfloat getboolean
	defaults returncode stdout stderr status_code ok json content headers cookies reason raise_for_status url encoding
	send throw __name__ __doc__ lines cache_clear cache_info set_ratio ratio get_matching_blocks get_opcodes choice
	choices randint shuffle sample uniform random gauss seed randrange wait result done cancelled set is_set
	__init__ __len__ __str__ __repr__ __eq__ __enter__ __exit__ __iter__ __next__ __version__ __file__ __post_init__
	__contains__ __getitem__ __hash__ setdefault`

// What methods do whose object is not known.
const pythonMethods = `
.unlink,.rmdir deletes:self
.rmtree deletes*:0
.removedirs deletes:0
.touch,.mkdir,.makedirs creates:self
.symlink_to,.hardlink_to,.link_to reads:0 creates:self
.write_text,.write_bytes writes:self
.read_text,.read_bytes reads:self
.iterdir,.glob,.rglob reads:self
.rename deletes:self writes:0
.replace replace
.open open
.chmod,.lchmod,.chown,.lchown privilege:self
.system,.popen,.getoutput,.getstatusoutput shell:0
.exec_command shell:0
.Popen,.check_output,.check_call,.run argv:0
.spawnl,.spawnv,.execv,.execve,.execl,.execlp,.execvp argv:0
.kill,.terminate,.send_signal,.killpg kills:self
.execute,.executescript,.executemany,.raw database:0
.connect sends:0
.connect_ex,.bind,.listen,.accept sends:0
.sendall,.sendto,.sendmail,.send_message sends:self
.recv,.recvfrom receives:self
.post,.put,.patch,.delete,.request sends:0
.urlopen,.urlretrieve,.storbinary,.storlines,.retrbinary sends:self
.extractall,.extract writes*:0
.to_csv,.to_json,.to_excel,.to_parquet,.to_pickle,.savefig,.to_sql,.to_html writes:0
.eval,.exec,.loads dynamic
.setuid,.setgid privilege:self
.drop,.drop_database,.delete_many,.delete_one,.flushall,.flushdb database:self
.insert_one,.insert_many,.update_one,.update_many,.bulk_write database:self
.communicate,.cursor,.commit,.rollback,.fetchall,.fetchone,.fetchmany pure
`

const pythonTable = `
print,len,range,sum,min,max,sorted,enumerate,zip,map,filter,list,dict,set,tuple,int,float,bool,bytearray,abs,round,any,all pure
isinstance,issubclass,type,repr,hash,id,chr,ord,hex,oct,bin,divmod,pow,reversed,slice,iter,next,format,input,callable,object pure
super,property,staticmethod,classmethod,frozenset,complex,memoryview,ascii,exit,quit,hasattr,dir,aiter,anext,NotImplemented,Ellipsis pure
BaseException,Exception,ValueError,TypeError,KeyError,IndexError,RuntimeError,OSError,IOError,AttributeError,NameError pure
ImportError,ModuleNotFoundError,StopIteration,KeyboardInterrupt,SystemExit,AssertionError,ZeroDivisionError,FileNotFoundError pure
PermissionError,FileExistsError,NotImplementedError,UnicodeDecodeError,UnicodeEncodeError,UnicodeError,OverflowError,EOFError pure
TimeoutError,ConnectionError,Warning,DeprecationWarning,UserWarning,ArithmeticError,LookupError,RecursionError,MemoryError pure
str,bytes,os.fspath,os.fsdecode,os.fsencode,shlex.quote text:0
open,io.open,codecs.open,gzip.open,bz2.open,lzma.open,os.fdopen open:0
os.open,tarfile.open,shelve.open,dbm.open,zipfile.ZipFile,mmap.mmap open:0
exec,eval,compile,builtins.exec,builtins.eval,builtins.compile eval:0
code.interact,codeop.compile_command,runpy.run_module,timeit.timeit,timeit.repeat,pdb.run,breakpoint,help dynamic
runpy.run_path loads:0
execfile loads:0
getattr,builtins.getattr getattr
setattr,delattr,globals,locals,vars,__builtins__,__loader__,__spec__,builtins.globals,builtins.vars,operator.attrgetter,operator.methodcaller dynamic
__import__,builtins.__import__,importlib.import_module import
importlib.reload,importlib.util.spec_from_file_location,importlib.machinery.SourceFileLoader loads:0
imp.load_source loads:1
pickle.load,pickle.loads,marshal.load,marshal.loads,dill.loads,dill.load,cloudpickle.loads,joblib.load,pandas.read_pickle,pickle.Unpickler,yaml.load,yaml.unsafe_load,yaml.full_load dynamic
pickle.dump,pickle.dumps,marshal.dumps,yaml.safe_load,yaml.safe_dump,yaml.dump,yaml.safe_load_all pure
os.remove,os.unlink,os.rmdir deletes:0/path
os.removedirs,shutil.rmtree,distutils.dir_util.remove_tree deletes*:0/path
os.rename,os.replace,os.renames deletes:0 writes:1
shutil.move deletes*:0 writes:1
shutil.copy,shutil.copy2,shutil.copyfile reads:0 writes:1
shutil.copytree reads*:0 writes*:1
shutil.make_archive reads*:2 writes:0
shutil.unpack_archive writes*:1
shutil.chown,os.chown,os.lchown,os.fchown,os.chmod,os.fchmod,os.lchmod,shutil.copymode privilege:0
os.setuid,os.setgid,os.seteuid,os.setegid,os.setreuid,os.setresuid,os.setgroups,os.initgroups,os.chroot,os.umask privilege:9
os.mkdir,os.makedirs,os.mkfifo,os.mknod creates:0
os.symlink,os.link reads:0 creates:1
os.truncate,fileinput.input,fileinput.FileInput writes:0
os.utime,os.setxattr,os.removexattr writes:0
os.listdir,os.scandir,os.readlink reads:0
os.walk,os.fwalk reads:0
os.stat,os.lstat,os.access,os.statvfs pure
os.system,os.popen,os.popen2,os.popen3,commands.getoutput,commands.getstatusoutput,subprocess.getoutput,subprocess.getstatusoutput,pty.spawn,asyncio.create_subprocess_shell shell:0
subprocess.run,subprocess.call,subprocess.check_call,subprocess.check_output,subprocess.Popen argv:0 new:Process:9
asyncio.create_subprocess_exec argv:0
os.execv,os.execve,os.execvp,os.execvpe,os.execl,os.execle,os.execlp,os.execlpe,os.posix_spawn,os.startfile argv:0
os.spawnl,os.spawnle,os.spawnlp,os.spawnv,os.spawnve,os.spawnvp argv:1
os.fork,os.forkpty,multiprocessing.Process,multiprocessing.Pool executes:9
subprocess.PIPE,subprocess.DEVNULL,subprocess.STDOUT,subprocess.CalledProcessError,subprocess.TimeoutExpired,subprocess.CompletedProcess pure
os.kill,os.killpg,signal.pthread_kill,os.abort,psutil.Process,psutil.process_iter kills:0
signal.signal,signal.alarm,signal.SIGTERM,signal.SIGINT,signal.SIGKILL,signal.SIGALRM pure
os.environ environ
os.environ.get,os.getenv,os.getenvb environment:0
os.environ.copy,os.environ.items,os.environ.keys,os.environ.values environment:9
os.putenv,os.unsetenv,os.environ.update,os.environ.setdefault,os.environ.pop,os.chdir,os.fchdir,os.dup2,os.nice,os.setsid unknown
os.getcwd,os.getcwdb,os.getpid,os.getppid,os.getuid,os.geteuid,os.getgid,os.cpu_count,os.getloadavg,os.sep,os.linesep,os.name pure
os.pathsep,os.curdir,os.pardir,os.extsep,os.devnull,os.path,os.urandom,os.isatty,os.uname,os.times,os.getlogin,os.R_OK,os.W_OK,os.X_OK,os.F_OK pure
os.strerror,os.error,os.PathLike,os.get_terminal_size,os.close,os.O_RDONLY,os.O_WRONLY,os.O_CREAT,os.O_TRUNC,os.O_RDWR,os.O_APPEND,os.O_EXCL,os.write,os.read,os._exit pure
os.path.join path
os.path.abspath,os.path.realpath,os.path.normpath,os.path.expanduser text:0
os.path.expandvars environment:9
os.path.os,os.path.genericpath,os.path.sys,os.path.stat dynamic
sys.argv,sys.stdin,sys.stdout,sys.stderr,sys.exit,sys.version,sys.version_info,sys.platform,sys.maxsize,sys.executable,sys.byteorder pure
sys.stdin.read,sys.stdin.readline,sys.stdin.readlines,sys.stdin.buffer,sys.stdin.buffer.read,sys.stdout.write,sys.stdout.flush,sys.stderr.write,sys.stdout.buffer,sys.stdout.buffer.write,sys.stderr.flush,sys.stdin.isatty,sys.stdout.isatty pure
sys.getsizeof,sys.getrecursionlimit,sys.setrecursionlimit,sys.getdefaultencoding,sys.float_info,sys.implementation,sys.intern,sys.exc_info,sys.stdin.reconfigure,sys.stdout.reconfigure,sys.hexversion,sys.maxunicode pure
pathlib.Path,pathlib.PosixPath,pathlib.WindowsPath,pathlib.PurePath,pathlib.PurePosixPath path new:pathlib.Path:9
pathlib.Path.home home
pathlib.Path.cwd cwd
pathlib.Path.joinpath path new:pathlib.Path:9
pathlib.Path.resolve,pathlib.Path.absolute,pathlib.Path.expanduser,pathlib.Path.parent,pathlib.Path.with_suffix,pathlib.Path.with_name same
pathlib.Path.unlink,pathlib.Path.rmdir deletes:self
pathlib.Path.write_text,pathlib.Path.write_bytes writes:self
pathlib.Path.read_text,pathlib.Path.read_bytes,pathlib.Path.iterdir,pathlib.Path.glob,pathlib.Path.rglob,pathlib.Path.walk reads:self
pathlib.Path.touch,pathlib.Path.mkdir creates:self
pathlib.Path.symlink_to,pathlib.Path.hardlink_to reads:0 creates:self
pathlib.Path.rename,pathlib.Path.replace deletes:self writes:0
pathlib.Path.chmod,pathlib.Path.lchmod privilege:self
pathlib.Path.open open
glob.glob,glob.iglob reads:0
glob.escape pure
tempfile.NamedTemporaryFile,tempfile.TemporaryFile,tempfile.mkstemp,tempfile.mkdtemp,tempfile.TemporaryDirectory creates:9
tempfile.gettempdir pure
io.StringIO,io.BytesIO,io.TextIOWrapper,io.SEEK_SET pure
socket.socket,socket.create_connection,socket.create_server,socket.socketpair sends:9 new:socket:9
socket.gethostname,socket.AF_INET,socket.SOCK_STREAM,socket.AF_INET6,socket.SOCK_DGRAM,socket.SOL_SOCKET,socket.SO_REUSEADDR,socket.timeout,socket.error,socket.htons pure
socket.gethostbyname,socket.getaddrinfo,socket.getfqdn sends:0
socket.connect,socket.connect_ex,socket.bind sends:0
socket.send,socket.sendall,socket.sendto,socket.listen,socket.accept sends:self
socket.recv,socket.recvfrom receives:self
socket.close,socket.settimeout,socket.setsockopt,socket.shutdown,socket.makefile,socket.fileno pure
requests.get,requests.head,requests.options,httpx.get,httpx.head,urllib.request.urlopen fetch:0
urllib.request.Request sends:0 new:request:0
urllib.request.urlretrieve receives:0 writes:1
requests.post,requests.put,requests.patch,requests.delete,httpx.post,httpx.put,httpx.patch,httpx.delete sends:0/url
requests.request,httpx.request sends:1/url
requests.Session,requests.session,httpx.Client,httpx.AsyncClient,aiohttp.ClientSession,urllib3.PoolManager sends:9 new:session:9
session.get,session.head fetch:0
session.post,session.put,session.patch,session.delete sends:0
session.request sends:1
requests.exceptions,requests.RequestException,requests.exceptions.RequestException,urllib.error,urllib.error.URLError,urllib.error.HTTPError pure
urllib.parse.quote,urllib.parse.urlparse pure
http.client.HTTPConnection,http.client.HTTPSConnection,smtplib.SMTP,smtplib.SMTP_SSL,ftplib.FTP,ftplib.FTP_TLS,telnetlib.Telnet,imaplib.IMAP4,imaplib.IMAP4_SSL,poplib.POP3,paramiko.SSHClient,paramiko.Transport,fabric.Connection,xmlrpc.client.ServerProxy,ssl.wrap_socket sends:0 new:remote:0
http.server.HTTPServer,http.server.SimpleHTTPRequestHandler,socketserver.TCPServer,http.server.test,asyncio.start_server,asyncio.open_connection,http.server.ThreadingHTTPServer,http.server.BaseHTTPRequestHandler sends:0
webbrowser.open,webbrowser.get sends:0
ctypes.CDLL,ctypes.cdll.LoadLibrary,ctypes.PyDLL,ctypes.util.find_library,cffi.FFI,ctypes.cdll,ctypes.pythonapi,ctypes.windll,ctypes.WinDLL loads-native:0
sqlite3.connect writes:0 new:db:0
psycopg2.connect,psycopg.connect,pymysql.connect,MySQLdb.connect,mysql.connector.connect,sqlalchemy.create_engine,pymongo.MongoClient,redis.Redis,redis.StrictRedis,redis.from_url sends:0 new:db:0
db.execute,db.executescript,db.executemany,db.query database:0
db.cursor,db.connect new:db:9
db.commit,db.close,db.rollback,db.fetchall,db.fetchone pure
sqlite3.Row,sqlite3.Error,sqlite3.OperationalError pure
sqlalchemy.text text:0
boto3.client,boto3.resource,boto3.Session,boto3.session.Session receives:9 new:boto3.object:9
git.Repo,git.Repo.init,git.Repo.clone_from,git.Git,git.cmd.Git,pygit2.Repository,docker.from_env,docker.DockerClient,kubernetes.client.CoreV1Api,kubernetes.config.load_kube_config executes:9
psutil.cpu_percent,psutil.virtual_memory,psutil.disk_usage,psutil.cpu_count,psutil.pids pure
shutil.which,shutil.disk_usage,shutil.get_terminal_size,getpass.getuser pure
platform.system,platform.machine,platform.python_version,platform.node,platform.platform,platform.release,platform.processor,platform.uname pure
logging.info,logging.debug,logging.warning,logging.error,logging.critical,logging.exception,logging.getLogger,logging.INFO,logging.DEBUG,logging.WARNING,logging.StreamHandler,logging.Formatter pure
logging.FileHandler,logging.handlers.RotatingFileHandler writes:0
logging.basicConfig unknown
traceback.print_exc,traceback.format_exc,ast.literal_eval,ast.parse,ast.dump,ast.walk,shlex.split,shlex.join,types.SimpleNamespace,inspect.cleandoc pure
operator.itemgetter,operator.add,operator.mul,operator.sub,operator.eq,operator.lt,operator.gt,operator.le,operator.ge,operator.truediv,operator.neg pure
xml.etree.ElementTree.parse reads:0
xml.etree.ElementTree.fromstring,xml.etree.ElementTree.tostring,xml.etree.ElementTree.Element,xml.etree.ElementTree.SubElement,xml.etree.ElementTree.ParseError pure
configparser.ConfigParser,configparser.RawConfigParser new:config:9
config.read reads:0
config.get,config.sections,config.read_string,config.items pure
numpy.array,numpy.zeros,numpy.ones,numpy.arange,numpy.linspace,numpy.mean,numpy.sum,numpy.std,numpy.dot,numpy.__version__,numpy.random.seed,numpy.random.rand,numpy.max,numpy.min,numpy.median,numpy.sqrt,numpy.nan,numpy.pi,numpy.float64,numpy.int64,numpy.percentile pure
numpy.loadtxt,pandas.read_csv,pandas.read_json,pandas.read_excel,pandas.read_parquet reads:0
numpy.savetxt,numpy.save writes:0
numpy.load dynamic
pandas.DataFrame,pandas.Series,pandas.concat,pandas.merge,pandas.to_datetime,pandas.to_numeric,pandas.isna,pandas.notna,pandas.__version__,pandas.set_option pure
threading.Thread,threading.Lock,threading.Event,queue.Queue,concurrent.futures.ThreadPoolExecutor,concurrent.futures.as_completed,asyncio.run,asyncio.gather,asyncio.sleep,asyncio.Queue,asyncio.create_task,unittest.TestCase,unittest.main,doctest.testmod,weakref.ref,timeit.default_timer,tqdm.tqdm,atexit.register pure
`
