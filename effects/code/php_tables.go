package code

const phpKeywords = `abstract and as break case catch class clone const continue declare default do else elseif enddeclare
	endfor endforeach endif endswitch endwhile enum extends final finally fn for foreach function global goto if implements
	instanceof insteadof interface match namespace new or private protected public readonly static switch throw trait try
	use var while xor yield true false null TRUE FALSE NULL self parent`

const phpPure = `Exception RuntimeException InvalidArgumentException DateTime DateTimeImmutable DateInterval stdClass
	ArrayObject ArrayIterator SplStack SplQueue SplObjectStorage JsonException DateTimeZone LogicException Throwable`

const phpModules = `PDO mysqli SQLite3 Redis MongoDB SplFileObject SplFileInfo DirectoryIterator RecursiveDirectoryIterator
	ZipArchive Phar PharData SoapClient FFI ReflectionFunction ReflectionClass ReflectionMethod Closure COM SimpleXMLElement
	DOMDocument CURLFile GuzzleHttp`

const phpForbidden = `newInstance invoke invokeArgs fromCallable __callStatic __invoke bindTo`

const phpHarmless = `format getTimestamp modify add sub diff setTimezone setDate setTime getMessage getCode getLine getTrace
	getTraceAsString push pop count current key next rewind valid offsetGet offsetSet offsetExists toArray jsonSerialize
	getPrevious y m d h i s days`

const phpMethods = `
.query,.exec,.prepare,.multi_query,.executeQuery,.executeStatement,.real_query database:0
.execute,.fetch,.fetchAll,.fetchColumn,.bindValue,.bindParam,.fetch_assoc,.close pure
.fwrite,.ftruncate,.saveHTML,.asXML,.save writes:self
.extractTo writes*:0
.post,.put,.delete,.patch,.request,.get,.send,.connect sends:0
.unlink,.rmdir,.remove deletes:0
`

const phpTable = `
echo,print,printf,sprintf,vprintf,vsprintf,print_r,var_dump,var_export,exit,die,isset,unset,empty,list,array,count,sizeof,intval,floatval,strval,boolval,settype,gettype,get_debug_type pure
strlen,strpos,stripos,strrpos,str_replace,str_ireplace,str_repeat,str_pad,str_split,str_contains,str_starts_with,str_ends_with,substr,substr_count,substr_replace,strtolower,strtoupper,ucfirst,ucwords,lcfirst,trim,ltrim,rtrim,chop,explode,implode,join,nl2br,wordwrap,number_format,strrev,strcmp,strcasecmp,strncmp,strstr,stristr,strrchr,strtr,similar_text,levenshtein,soundex,metaphone,htmlspecialchars,htmlentities,html_entity_decode,addslashes,stripslashes,chr,ord,bin2hex,hex2bin,dechex,hexdec,bindec,decbin,octdec,decoct,base_convert,md5,sha1,crc32,hash,base64_encode,base64_decode,urlencode,urldecode,rawurlencode,rawurldecode,http_build_query,parse_url,uniqid,nl_langinfo,lcg_value,strip_tags,chunk_split,str_word_count,ctype_digit,ctype_alpha,ctype_alnum,ctype_space,ctype_upper,ctype_lower,mb_strlen,mb_substr,mb_strtoupper,mb_strtolower,mb_strpos,mb_str_split,iconv,utf8_encode,utf8_decode,strtok,sscanf,money_format,vsprintf,ucwords pure
array_merge,array_keys,array_values,array_sum,array_product,array_slice,array_splice,array_push,array_pop,array_shift,array_unshift,array_reverse,array_unique,array_flip,array_fill,array_fill_keys,array_combine,array_column,array_chunk,array_diff,array_diff_key,array_intersect,array_intersect_key,array_key_exists,array_key_first,array_key_last,array_search,in_array,array_rand,array_pad,array_count_values,array_is_list,array_replace,range,compact,sort,rsort,asort,arsort,ksort,krsort,shuffle,natsort,current,key,next,prev,reset,end,min,max,iterator_to_array,array_multisort pure
abs,ceil,floor,round,sqrt,pow,exp,log,log10,log2,pi,sin,cos,tan,intdiv,fmod,rand,mt_rand,random_int,random_bytes,mt_srand,srand,is_nan,is_finite,is_infinite,array_flip pure
is_array,is_string,is_int,is_integer,is_numeric,is_null,is_bool,is_float,is_object,is_callable,is_iterable,json_encode,json_decode,json_last_error,json_last_error_msg,serialize,preg_match,preg_match_all,preg_replace,preg_split,preg_quote,preg_grep,preg_last_error,date,time,microtime,hrtime,strtotime,mktime,gmdate,checkdate,date_default_timezone_set,date_create,date_diff,usleep,sleep,phpversion,php_uname,php_sapi_name,memory_get_usage,memory_get_peak_usage,error_reporting,set_time_limit,function_exists,class_exists,method_exists,defined,define,constant,get_class,spl_object_id,gc_collect_cycles,version_compare,password_hash,password_verify,ctype_xdigit,fclose,feof,fgets,fgetcsv,fread,fflush,rewind,fseek,ftell,fgetc,flock,fputcsv,fputs,fwrite,str_getcsv,basename,dirname,pathinfo,file_exists,is_file,is_dir,is_readable,is_writable,filesize,filemtime,realpath,getcwd,sys_get_temp_dir,stat,closedir,readdir,trigger_error,ob_get_clean,fscanf,stream_get_contents,gethostname,PHP_EOL,PHP_VERSION,PHP_OS,PHP_INT_MAX,STDIN,STDOUT,STDERR,DIRECTORY_SEPARATOR,M_PI,E_ALL,JSON_PRETTY_PRINT,$argv,$argc,$this,__DIR__,__FILE__,__LINE__ pure
array_map,call_user_func,call_user_func_array,register_shutdown_function,set_error_handler,set_exception_handler,spl_autoload_register,ob_start,forward_static_call,register_tick_function callback:0
array_filter,array_walk,array_walk_recursive,array_reduce,usort,uasort,uksort,preg_replace_callback,array_find,array_any,array_all,iterator_apply callback:1
filter_var,filter_var_array,array_udiff,array_uintersect,array_diff_ukey,header_register_callback,extract,parse_str,get_defined_vars,unserialize,create_function,assert,ini_set,set_include_path,putenv,dl,mb_ereg_replace,preg_replace_callback_array,func_get_args,apache_setenv,chdir dynamic
eval eval:0
include,include_once,require,require_once loads:0
` + "`" + `,system,exec,shell_exec,passthru,popen,expect_popen,mb_send_mail shell:0
proc_open shell:0
pcntl_exec argv:0
pcntl_fork executes:9
posix_kill,proc_terminate kills:0
posix_setuid,posix_setgid,posix_seteuid,posix_setegid,chmod,chown,chgrp,lchown,umask,chroot privilege:0
unlink,rmdir deletes:0
rename deletes:0 writes:1
copy,move_uploaded_file reads:0 writes:1
mkdir,tempnam,tmpfile,touch creates:0
symlink,link reads:0 creates:1
file_put_contents,ftruncate,imagepng,imagejpeg,error_log writes:0
file_get_contents,file,readfile,parse_ini_file,simplexml_load_file,scandir,opendir,glob,dir,highlight_file,show_source,php_strip_whitespace,readlink,fpassthru,md5_file,sha1_file,hash_file,getimagesize reads:0
fopen,gzopen,SplFileObject,bzopen,dba_open open:0
getenv environment:0
$_ENV,$_SERVER environ
phpinfo,get_cfg_var environment:9
curl_init,curl_setopt,curl_setopt_array,curl_exec,fsockopen,pfsockopen,stream_socket_client,stream_socket_server,socket_create,socket_connect,socket_bind,socket_listen,mail,ftp_connect,ssh2_connect,ldap_connect,header,imap_open,dns_get_record,gethostbyname,get_headers,SoapClient,stream_context_create sends:0
mysqli_connect,pg_connect,mysql_connect,oci_connect sends:0
PDO,mysqli,SQLite3,Redis sends:0 new:db:9
mysqli_query,mysql_query,pg_query,sqlite_query database:1
db.query,db.exec,db.prepare,db.multi_query database:0
FFI.cdef,FFI.load loads-native:1
`
