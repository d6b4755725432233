package code

const scriptKeywords = `break case catch class const continue debugger default delete do else export extends finally for
	function if import in instanceof let new null of return static super switch this throw try typeof undefined var void
	while with yield async await true false interface type enum implements declare readonly public private protected as
	abstract satisfies keyof namespace get set`

const scriptPure = `path path.posix path.win32 url util assert assert.strict querystring events string_decoder buffer
	crypto zlib stream stream.promises timers timers.promises perf_hooks punycode os lodash uuid dayjs date-fns chalk
	JSON Math Number String Boolean Array Date Symbol BigInt Intl console Promise Map Set WeakMap WeakSet
	URL URLSearchParams TextEncoder TextDecoder Buffer performance Atomics ArrayBuffer Uint8Array Int32Array Float64Array
	Uint32Array Float32Array Int8Array Uint16Array DataView structuredClone`

const scriptModules = `fs fs.promises fs-extra child_process cluster http https http2 net tls dgram dns vm module
	worker_threads inspector repl process readline v8 async_hooks process globalThis global window self Deno Bun bun
	bun.sqlite sqlite bun.ffi rimraf del execa shelljs cross-spawn axios node-fetch got ws nodemailer ssh2 pg mysql mysql2
	mongodb mongoose redis ioredis better-sqlite3 sqlite3 knex aws-sdk simple-git isomorphic-git dockerode ffi-napi
	puppeteer playwright express fastify koa yargs commander minimist glob fast-glob js-yaml dotenv Object Function Reflect
	Proxy RegExp WebAssembly WebSocket XMLHttpRequest EventSource navigator localStorage require module exports test node.test
	system sea trace_events domain wasi`

const scriptForbidden = `constructor __proto__ prototype mainModule binding _linkedBinding _load dlopen __defineGetter__
	__lookupGetter__ __defineSetter__ getBuiltinModule createRequire caller callee _compile internalBinding template setEngine`

const scriptHarmless = `log error warn info debug table dir trace assert count group groupEnd groupCollapsed time timeEnd
	timeLog stringify parse length map filter reduce reduceRight forEach find findIndex findLast findLastIndex some every
	includes indexOf lastIndexOf join slice splice concat push pop shift unshift reverse sort flat flatMap fill keys values
	entries from of isArray at split trim trimStart trimEnd toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase
	toLocaleString charAt charCodeAt codePointAt startsWith endsWith padStart padEnd repeat replace replaceAll match
	matchAll search substring substr localeCompare normalize toString valueOf toFixed toPrecision toExponential test exec
	source flags lastIndex add has get set delete clear size then catch finally resolve reject all allSettled race any
	getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds toISOString toJSON
	toUTCString toDateString toTimeString getUTCFullYear getUTCMonth getUTCDate setDate setHours setMonth setFullYear
	toLocaleDateString toLocaleTimeString getTimezoneOffset now hasOwnProperty next return done value append getAll on once
	off addListener removeListener removeAllListeners emit end pipe setEncoding resume pause read write update digest hex
	equals byteLength subarray copy readUInt8 readUInt32BE readUInt32LE writeUInt32BE encode decode isFile isDirectory
	isSymbolicLink mtime mtimeMs name message stack code stdout stderr status ok json text arrayBuffer blob headers href
	origin pathname hash searchParams host hostname port protocol call apply bind toSorted toReversed toSpliced with
	description isInteger catch unref ref close format`

// Methods of objects that are not known; those of scriptHarmless are not looked up here
// if they are in both.
const scriptMethods = `
.rmSync,.rm,.rmdirSync,.rmdir,.unlinkSync,.unlink,.remove,.removeSync,.emptyDir,.emptyDirSync,.truncateSync deletes*:0
.writeFileSync,.writeFile,.appendFileSync,.appendFile,.createWriteStream,.outputFile,.outputFileSync,.writeTextFile,.writeTextFileSync,.cpSync,.copyFileSync,.copyFile,.renameSync,.rename writes:9
.mkdirSync,.mkdir,.mkdtempSync creates:0
.symlinkSync reads:0 creates:1
.chmodSync,.chmod,.chownSync,.chown,.setuid,.setgid privilege:0
.readFileSync,.readFile,.readdirSync,.readdir,.createReadStream reads:0
.execSync,.spawn,.spawnSync,.execFile,.execFileSync,.fork,.$,.command shell:0
.kill,.terminate kills:self
.post,.put,.patch,.request,.connect,.listen,.sendMail,.send,.createServer,.fetch sends:0
.query,.execute,.run,.raw database:0
.drop,.dropDatabase,.deleteMany,.deleteOne,.insertOne,.insertMany,.updateOne,.updateMany,.flushall,.flushdb,.flushAll database:self
.eval,.evaluate,.runInContext,.runInThisContext,.runInNewContext,.compileFunction dynamic
`

const scriptTable = `
parseInt,parseFloat,isNaN,isFinite,encodeURIComponent,decodeURIComponent,encodeURI,decodeURI,setImmediate,queueMicrotask,clearTimeout,clearInterval pure
Error,TypeError,RangeError,SyntaxError,ReferenceError,AggregateError,EvalError,URIError,NaN,Infinity,atob,btoa,AbortController,Event,EventTarget,arguments,__dirname,__filename pure
Map,Set,WeakMap,WeakSet,Promise,Date,Array,String,Number,Boolean,Symbol,BigInt,Buffer,URL,URLSearchParams,TextEncoder,TextDecoder,structuredClone,assert pure
setTimeout,setInterval timer:0
Object,Object.keys,Object.values,Object.entries,Object.assign,Object.freeze,Object.create,Object.is,Object.seal,Object.hasOwn,Object.groupBy pure
Object.fromEntries,Object.prototype.hasOwnProperty,Object.prototype.toString pure
RegExp,RegExp.escape,Reflect.ownKeys,Reflect.has pure
Buffer.from,Buffer.alloc,Buffer.concat,Buffer.byteLength,Buffer.isBuffer pure
eval,globalThis.eval eval:0
Function,GeneratorFunction,AsyncFunction function
vm.runInNewContext,vm.runInThisContext,vm.runInContext,vm.Script,vm.compileFunction eval:0
require,import import
require.resolve,import.meta pure
module,exports,module.exports,module.children,require.main,require.cache unknown
module.createRequire,worker_threads.Worker dynamic
cluster.fork executes:9
fs.rmSync,fs.rm,fs.promises.rm,fs-extra.remove,fs-extra.removeSync,fs-extra.rm,fs-extra.rmSync,rimraf,rimraf.sync,rimraf.rimraf,rimraf.rimrafSync,del,del.sync,fs-extra.emptyDir,fs-extra.emptyDirSync,Deno.remove,Deno.removeSync,shelljs.rm deletes*:0
fs.unlinkSync,fs.unlink,fs.promises.unlink,fs.rmdirSync,fs.rmdir,fs.promises.rmdir,fs-extra.unlinkSync deletes:0
fs.writeFileSync,fs.writeFile,fs.promises.writeFile,fs.appendFileSync,fs.appendFile,fs.promises.appendFile,fs.createWriteStream,fs.truncateSync,fs.truncate,fs.promises.truncate,fs.utimesSync writes:0
fs-extra.outputFile,fs-extra.outputFileSync,fs-extra.writeFileSync,fs-extra.writeFile,fs-extra.writeJson,fs-extra.writeJsonSync,fs-extra.outputJson,Deno.writeTextFile,Deno.writeTextFileSync,Deno.writeFile,Deno.writeFileSync,Deno.create,Deno.truncate,Bun.write,bun.write writes:0
fs.mkdirSync,fs.mkdir,fs.promises.mkdir,fs.mkdtempSync,fs.promises.mkdtemp,fs-extra.ensureDir,fs-extra.ensureDirSync,fs-extra.mkdirp,fs-extra.ensureFile,Deno.mkdir,Deno.mkdirSync,Deno.makeTempDir creates:0
fs.symlinkSync,fs.symlink,fs.promises.symlink,fs.linkSync,fs.link,Deno.symlink,Deno.link reads:0 creates:1
fs.renameSync,fs.rename,fs.promises.rename,fs-extra.move,fs-extra.moveSync,Deno.rename,Deno.renameSync deletes:0 writes:1
fs.copyFileSync,fs.copyFile,fs.promises.copyFile,Deno.copyFile,Deno.copyFileSync reads:0 writes:1
fs.cpSync,fs.cp,fs.promises.cp,fs-extra.copy,fs-extra.copySync reads*:0 writes*:1
fs.chmodSync,fs.chmod,fs.promises.chmod,fs.chownSync,fs.chown,fs.promises.chown,fs.lchownSync,Deno.chmod,Deno.chown privilege:0
fs.readFileSync,fs.readFile,fs.promises.readFile,fs.createReadStream,fs-extra.readFileSync,fs-extra.readFile,fs-extra.readJson,fs-extra.readJsonSync,Deno.readTextFile,Deno.readTextFileSync,Deno.readFile,Deno.readFileSync,Bun.file,bun.file reads:0
fs.readdirSync,fs.readdir,fs.promises.readdir,fs.opendirSync,fs.readlinkSync,fs.readlink,fs.promises.readlink,Deno.readDir,Deno.readDirSync,glob,glob.sync,glob.globSync,glob.glob,fast-glob,fast-glob.sync reads:0
fs.openSync,fs.open,fs.promises.open,Deno.open,Deno.openSync open:0
fs.existsSync,fs.statSync,fs.stat,fs.lstatSync,fs.promises.stat,fs.promises.access,fs.promises.lstat,fs.accessSync,fs.access,fs.realpathSync,fs.closeSync,fs.constants,fs.promises.constants,fs-extra.existsSync,fs-extra.pathExists,fs.readSync,fs.fstatSync,Deno.stat,Deno.cwd,Deno.exit,Deno.args,Deno.version,Deno.build,Deno.stdin,Deno.stdout,Deno.stderr,Deno.test,Deno.errors.NotFound,Bun.version,Bun.argv pure
fs.watch,fs.watchFile pure
child_process.exec,child_process.execSync,shelljs.exec,Bun.$,bun.$,execa.execaCommand,execa.command,execa.commandSync shell:0
child_process.spawn,child_process.spawnSync,child_process.execFile,child_process.execFileSync,cross-spawn,cross-spawn.sync,execa,execa.execa,execa.sync,execa.execaSync,Bun.spawn,Bun.spawnSync,bun.spawn argv:0
child_process.fork,cluster.setupPrimary executes:0
Deno.Command,Deno.run executes:0
process.kill,Deno.kill kills:0
process.abort pure
process.setuid,process.setgid,process.seteuid,process.setegid,process.setgroups,process.umask privilege:0
process.env,Deno.env,Bun.env environ
Deno.env.get environment:0
Deno.env.toObject environment:9
process.dlopen,Deno.dlopen,bun.ffi.dlopen,ffi-napi.Library loads-native:0
process.argv,process.exit,process.exitCode,process.cwd,process.version,process.versions,process.versions.node,process.platform,process.arch,process.pid,process.ppid,process.uptime,process.memoryUsage,process.hrtime,process.hrtime.bigint,process.nextTick,process.stdin,process.stdout,process.stderr,process.stdout.write,process.stderr.write,process.on,process.once,process.cpuUsage,process.title,process.release,process.execPath,process.argv0,process.emitWarning pure
process.stdin.on,process.stdin.setEncoding,process.stdin.resume,process.stdin.pipe,process.stdin.read,process.stdin.fd,process.stdout.isTTY,process.stdout.columns,process.argv.slice,process.argv.length,process.stdin.isTTY pure
process.argv.find,process.argv.includes,process.argv.indexOf pure
os.setPriority unknown
path.join,path.resolve,path.posix.join path
fetch,axios,axios.get,axios.head,node-fetch,got,got.get,http.get,https.get,globalThis.fetch fetch:0
axios.post,axios.put,axios.patch,axios.delete,axios.request,axios.create,got.post,http.request,https.request,net.connect,net.createConnection,net.Socket,tls.connect,dgram.createSocket,ws,WebSocket,XMLHttpRequest,EventSource,nodemailer.createTransport,ssh2.Client,http2.connect,navigator.sendBeacon,Deno.connect,Deno.connectTls sends:0 new:remote:9
net.createServer,http.createServer,https.createServer,Deno.listen,Deno.serve,Bun.serve,Bun.listen,Bun.connect sends:9 new:server:9
express,express.static,express.json,fastify,koa sends:9 new:server:9
server.get,server.use,server.on,server.close,server.route pure
server.listen sends:self
dns.lookup,dns.resolve,dns.promises.lookup,dns.resolveTxt,dns.resolve4 sends:0
pg.Client,pg.Pool,mysql.createConnection,mysql2.createConnection,mongodb.MongoClient,mongoose.connect,redis.createClient,ioredis,knex sends:9 new:db:9
better-sqlite3,sqlite3.Database,bun.sqlite.Database,sqlite.DatabaseSync writes:0 new:db:0
db.exec,db.query,db.prepare,db.run,db.execute,db.all,db.get,db.each,db.raw database:0
db.close,db.connect,db.end pure
readline.createInterface,readline.promises.createInterface pure
node.test,node.test.test,node.test.describe,node.test.it,test pure
v8.getHeapStatistics,module.builtinModules,dns.promises pure
minimist,commander.Command,commander.program,yargs,js-yaml.load,js-yaml.dump,glob.escape pure
aws-sdk.S3,aws-sdk.EC2,simple-git,dockerode cloud:9
`
