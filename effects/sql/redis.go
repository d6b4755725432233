package sql

import "strings"

// redis is what its commands do; a second word decides where one is listed.
var redis = redisTable()

func redisTable() map[string]Kinds {
	m := map[string]Kinds{}
	for kinds, list := range map[Kinds]string{
		Session: `AUTH HELLO PING ECHO QUIT SELECT MULTI DISCARD WATCH UNWATCH READONLY READWRITE RESET ASKING
			CLIENT-ID CLIENT-GETNAME CLIENT-SETNAME CLIENT-LIST CLIENT-INFO CLIENT-SETINFO`,
		Reads: `GET MGET STRLEN GETRANGE SUBSTR EXISTS TYPE TTL PTTL EXPIRETIME PEXPIRETIME KEYS SCAN RANDOMKEY DBSIZE
			INFO TIME LASTSAVE ROLE HGET HMGET HGETALL HKEYS HVALS HLEN HEXISTS HSCAN HSTRLEN HRANDFIELD LRANGE LLEN LINDEX
			LPOS SMEMBERS SCARD SISMEMBER SMISMEMBER SRANDMEMBER SSCAN SINTER SUNION SDIFF SINTERCARD ZRANGE ZREVRANGE
			ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYLEX ZCARD ZCOUNT ZSCORE ZMSCORE ZRANK ZREVRANK ZSCAN
			ZLEXCOUNT ZINTER ZUNION ZDIFF ZRANDMEMBER XRANGE XREVRANGE XLEN XREAD XPENDING XINFO-STREAM XINFO-GROUPS
			XINFO-CONSUMERS BITCOUNT BITPOS GETBIT PFCOUNT GEOPOS GEODIST GEOHASH GEOSEARCH DUMP OBJECT-ENCODING
			OBJECT-FREQ OBJECT-IDLETIME OBJECT-REFCOUNT OBJECT-HELP MEMORY-USAGE MEMORY-STATS MEMORY-DOCTOR CONFIG-GET
			SLOWLOG-GET SLOWLOG-LEN LATENCY-LATEST LATENCY-HISTORY LATENCY-DOCTOR COMMAND COMMAND-COUNT COMMAND-DOCS
			COMMAND-INFO COMMAND-LIST PUBSUB-CHANNELS PUBSUB-NUMSUB PUBSUB-NUMPAT SUBSCRIBE PSUBSCRIBE CLUSTER-INFO
			CLUSTER-NODES CLUSTER-SLOTS CLUSTER-SHARDS CLUSTER-KEYSLOT ACL-WHOAMI ACL-LIST ACL-USERS ACL-CAT MODULE-LIST
			SCRIPT-EXISTS FUNCTION-LIST FUNCTION-STATS JSON.GET JSON.MGET JSON.TYPE FT.SEARCH FT.INFO FT._LIST TS.RANGE
			TS.GET MONITOR WAIT LOLWUT LCS`,
		WritesRows: `SET SETEX PSETEX SETNX MSET MSETNX APPEND SETRANGE INCR INCRBY INCRBYFLOAT DECR DECRBY GETSET GETEX
			HSET HSETNX HMSET HINCRBY HINCRBYFLOAT LPUSH RPUSH LPUSHX RPUSHX LINSERT LSET SADD ZADD ZINCRBY XADD XACK XCLAIM
			XAUTOCLAIM XGROUP-CREATE XREADGROUP SETBIT BITFIELD PFADD PFMERGE GEOADD PERSIST COPY PUBLISH SPUBLISH
			JSON.SET TOUCH EXEC`,
		DeletesRows: `DEL UNLINK GETDEL HDEL LPOP RPOP BLPOP BRPOP LMPOP LREM LTRIM SREM SPOP ZREM ZPOPMIN ZPOPMAX BZPOPMIN
			BZPOPMAX ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREMRANGEBYLEX XDEL XTRIM EXPIRE PEXPIRE EXPIREAT PEXPIREAT RENAME
			RENAMENX MOVE RESTORE RPOPLPUSH LMOVE BLMOVE BRPOPLPUSH SMOVE SINTERSTORE SUNIONSTORE SDIFFSTORE ZUNIONSTORE
			ZINTERSTORE ZDIFFSTORE ZRANGESTORE SORT GEOSEARCHSTORE BITOP XGROUP-DESTROY XGROUP-DELCONSUMER JSON.DEL`,
		Drops: `FLUSHALL FLUSHDB SWAPDB FT.DROPINDEX FT.DROP SCRIPT-FLUSH FUNCTION-FLUSH FUNCTION-DELETE CLUSTER-FLUSHSLOTS`,
		Administers: `CONFIG-SET CONFIG-REWRITE CONFIG-RESETSTAT SHUTDOWN DEBUG REPLICAOF SLAVEOF FAILOVER SAVE BGSAVE
			BGREWRITEAOF CLIENT-KILL CLIENT-PAUSE CLIENT-NO-EVICT CLUSTER-RESET CLUSTER-FORGET CLUSTER-FAILOVER CLUSTER-MEET
			CLUSTER-REPLICATE CLUSTER-ADDSLOTS CLUSTER-DELSLOTS CLUSTER-SETSLOT SLOWLOG-RESET LATENCY-RESET MEMORY-PURGE
			MIGRATE SYNC PSYNC REPLCONF`,
		Privileges: `ACL-SETUSER ACL-DELUSER ACL-LOAD ACL-SAVE ACL-LOG`,
		Executes: `EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO SCRIPT-LOAD FUNCTION-LOAD FUNCTION-RESTORE MODULE-LOAD
			MODULE-LOADEX MODULE-UNLOAD`,
	} {
		for name := range strings.FieldsSeq(list) {
			m[name] |= kinds
		}
	}
	return m
}

// RedisCommand says what one command of redis does.
func RedisCommand(args []string) Statement {
	if len(args) == 0 {
		return Statement{Kinds: IsUnknown}
	}
	name := strings.ToUpper(args[0])
	st := Statement{Verb: name}
	if len(args) > 1 {
		st.Object = args[1]
		sub := name + "-" + strings.ToUpper(args[1])
		if kinds, ok := redis[sub]; ok {
			st.Verb, st.Kinds, st.Object = name+" "+strings.ToUpper(args[1]), kinds, ""
			if len(args) > 2 {
				st.Object = args[2]
			}
			if st.Verb == "CONFIG SET" && len(args) > 2 {
				st.Kinds |= configKinds(args[2])
			}
			return st
		}
	}
	kinds, ok := redis[name]
	if !ok || len(name) > 64 {
		kinds = IsUnknown
	}
	st.Kinds = kinds
	return st
}

// configKinds are of settings by which a server writes files of the caller's choice.
func configKinds(setting string) Kinds {
	switch strings.ToLower(setting) {
	case "dir", "dbfilename", "logfile", "appenddirname", "appendfilename", "unixsocket":
		return Files
	case "requirepass", "masterauth", "aclfile", "protected-mode":
		return Privileges
	}
	return 0
}

// Redis says what the lines do that are fed to redis-cli.
func Redis(text string) []Statement {
	if len(text) > maxText {
		return []Statement{{Kinds: IsUnknown, End: len(text)}}
	}
	var found []Statement
	for pos := 0; pos < len(text); {
		end := strings.IndexByte(text[pos:], '\n')
		if end < 0 {
			end = len(text) - pos
		}
		if len(found) == maxStatements {
			return append(found, Statement{Kinds: IsUnknown, Start: pos, End: len(text)})
		}
		if args, ok := redisWords(text[pos : pos+end]); !ok || len(args) > 0 {
			st := RedisCommand(args)
			if !ok {
				st.Kinds |= IsUnknown
			}
			st.Start, st.End = pos, pos+end
			found = append(found, st)
		}
		pos += end + 1
	}
	return found
}

// redisWords splits a line as redis-cli does; false for quotes that do not end, and for
// escapes.
func redisWords(line string) ([]string, bool) {
	var args []string
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c <= ' ':
			i++
		case c == '"' || c == '\'':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 || strings.IndexByte(line[i:i+1+end], '\\') >= 0 {
				return args, false
			}
			args = append(args, line[i+1:i+1+end])
			i += end + 2
			if i < len(line) && line[i] > ' ' {
				return args, false
			}
		default:
			end := i
			for end < len(line) && line[end] > ' ' {
				end++
			}
			args = append(args, line[i:end])
			i = end
		}
	}
	return args, true
}
