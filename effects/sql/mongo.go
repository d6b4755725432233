package sql

import "strings"

// mongo is what the methods of its shell do, whatever object they belong to.
var mongo = mongoTable()

func mongoTable() map[string]Kinds {
	m := map[string]Kinds{}
	for kinds, list := range map[Kinds]string{
		Reads: `find findOne count countDocuments estimatedDocumentCount distinct aggregate getIndexes indexes stats
			dataSize storageSize totalSize totalIndexSize explain getCollection getCollectionNames getCollectionInfos
			getSiblingDB getName getMongo getDB getUsers getUser getRoles getRole hello isMaster serverStatus hostInfo version
			currentOp listCommands validate latencyStats isCapped getShardDistribution getProfilingStatus serverBuildInfo
			sort limit skip project projection hint batchSize toArray forEach map pretty size itcount hasNext next
			objsLeftInBatch maxTimeMS collation comment readPref readConcern print printjson tojson EJSON stringify parse
			ObjectId ISODate NumberLong NumberInt NumberDecimal UUID Date Timestamp BinData Math floor round max min
			keys values entries filter reduce some every includes indexOf join slice push concat length toString valueOf
			toISOString getTime split trim replace toLowerCase toUpperCase substring conf config help`,
		WritesRows: `insert insertOne insertMany update updateOne updateMany replaceOne save bulkWrite findAndModify
			findOneAndUpdate findOneAndReplace initializeOrderedBulkOp initializeUnorderedBulkOp upsert`,
		DeletesRows: `remove deleteOne deleteMany findOneAndDelete removeOne`,
		Drops:       `drop dropDatabase dropIndex dropIndexes dropCollection dropSearchIndex`,
		Schema: `createCollection createIndex createIndexes ensureIndex createView renameCollection convertToCapped reIndex
			hideIndex unhideIndex createSearchIndex`,
		Privileges: `createUser updateUser dropUser dropAllUsers changeUserPassword grantRolesToUser revokeRolesFromUser
			createRole updateRole dropRole dropAllRoles grantPrivilegesToRole revokePrivilegesFromRole auth logout`,
		Administers: `adminCommand runCommand shutdownServer fsyncLock fsyncUnlock killOp setProfilingLevel setLogLevel
			repairDatabase cloneDatabase copyDatabase compact initiate reconfig stepDown freeze syncFrom addShard removeShard
			enableSharding shardCollection splitAt splitFind moveChunk addArb setParameter killSessions killAllSessions
			rotateCertificates resync`,
		Executes: `eval mapReduce load run runProgram startMongoProgram runMongoProgram require system Function fetch
			$where $function $accumulator removeFile mkdir cat cd copyFile listFiles ls md5sumFile writeFile fuzzFile`,
	} {
		for name := range strings.FieldsSeq(list) {
			m[name] |= kinds
		}
	}
	m["$out"], m["$merge"] = WritesRows, WritesRows
	return m
}

// mongoWords may stand alone.
var mongoWords = keyed(`db rs sh var let const if else for while of in return function new true false null undefined
	this use show dbs databases collections tables users roles profile help it exit quit print async await typeof`)

// script is the work on one text of the mongo shell.
type script struct {
	text  string
	pos   int
	prev  byte // the last byte of the last token: a letter for names
	st    Statement
	found []Statement
}

// Mongo says what a text for the mongo shell would do, statement by statement.
func Mongo(text string) []Statement {
	if len(text) > maxText {
		return []Statement{{Kinds: IsUnknown, End: len(text)}}
	}
	s := script{text: text}
	depth := 0
	for s.pos < len(text) && len(s.found) < maxStatements {
		c := text[s.pos]
		switch {
		case c == ';':
			s.pos++
			s.finish()
		case c == '\n' && depth <= 0:
			if !s.goesOn() {
				s.finish()
			}
		case c <= ' ':
			s.pos++
		case c == '/':
			s.slash()
		case c == '"' || c == '\'' || c == '`':
			s.quote(c)
		case isLetter(c) || c == '$' || c >= 0x80:
			s.name()
		default:
			depth += depthOf(c)
			s.punct(c)
		}
	}
	s.finish()
	if s.pos < len(text) {
		s.found = append(s.found, Statement{Kinds: IsUnknown, Start: s.pos, End: len(text)})
	}
	return s.found
}

func depthOf(c byte) int {
	switch c {
	case '(', '[', '{':
		return 1
	case ')', ']', '}':
		return -1
	}
	return 0
}

// goesOn skips the ends of lines, and reports whether a method follows them.
func (s *script) goesOn() bool {
	for s.pos < len(s.text) && s.text[s.pos] <= ' ' {
		s.pos++
	}
	return s.pos < len(s.text) && s.text[s.pos] == '.'
}

func (s *script) finish() {
	if s.st.End > 0 {
		if s.st.Kinds == 0 {
			s.st.Kinds = Session
		}
		s.found = append(s.found, s.st)
	}
	s.st, s.prev = Statement{}, 0
}

func (s *script) mark(start int, k Kinds) {
	if s.st.End == 0 {
		s.st.Start = start
	}
	s.st.End = s.pos
	s.st.Kinds |= k
}

// slash is a comment; a pattern might hide what follows it.
func (s *script) slash() {
	start := s.pos
	var end int
	switch {
	case strings.HasPrefix(s.text[s.pos:], "//"):
		end = strings.IndexAny(s.text[s.pos:], "\n\r\u2028\u2029")
	case strings.HasPrefix(s.text[s.pos:], "/*"):
		if end = strings.Index(s.text[s.pos+2:], "*/"); end >= 0 {
			end += 4
		}
	default:
		s.pos++
		s.mark(start, IsUnknown)
		return
	}
	if end < 0 {
		s.pos = len(s.text)
		return
	}
	s.pos += end
}

func (s *script) quote(q byte) {
	start := s.pos
	s.pos++
	for s.pos < len(s.text) && s.text[s.pos] != q {
		if s.text[s.pos] == '\\' {
			s.pos++
		}
		s.pos++
	}
	closed := s.pos < len(s.text)
	s.pos = min(s.pos+1, len(s.text))
	inside := s.text[start+1 : max(start+1, s.pos-1)]
	k := unless(closed, IsUnknown)
	if q == '`' && strings.Contains(inside, "${") {
		k |= IsUnknown
	}
	switch {
	case strings.HasPrefix(inside, "$"): // "$out" as a key
		k |= mongo[inside]
	case s.prev == '[': // db["drop"], or a list
		k |= mongo[inside] &^ Reads
	}
	if strings.IndexByte(inside, '\\') >= 0 {
		k |= IsUnknown
	}
	s.prev = '"'
	s.mark(start, k)
}

func (s *script) name() {
	start := s.pos
	for s.pos < len(s.text) && isWordByte(s.text[s.pos]) {
		s.pos++
	}
	name := s.text[start:s.pos]
	called := strings.HasPrefix(strings.TrimLeft(s.text[s.pos:], " \t\r\n"), "(")
	kinds, known := mongo[name]
	var k Kinds
	switch {
	case known && (called || s.prev == '.' || name[0] == '$'):
		k = kinds
		if kinds != Reads || s.st.Verb == "" {
			s.st.Verb = name
		}
		if called && (kinds == DeletesRows || kinds == WritesRows) {
			s.st.Where = s.filtered()
		}
	case called && mongoWords[name] == "":
		k = IsUnknown
	case name == "show" && s.st.End == 0:
		k = Reads
	case s.prev == '.' && s.st.Object == "":
		s.st.Object = name
	case s.prev != '.' && (name == "sh" || name == "rs"):
		k = Administers
	case name == "process" || name == "globalThis" || name == "constructor" || name == "prototype":
		k = IsUnknown
	}
	if s.prev == '.' && (name == "status" || name == "conf") {
		k = Reads
	}
	s.prev = 'a'
	s.mark(start, k)
}

// filtered reports whether the first argument is a filter that leaves something out.
func (s *script) filtered() bool {
	rest := strings.TrimLeft(s.text[s.pos:], " \t\r\n(")
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "{"), " \t\r\n")
	return rest != "" && rest[0] != '}' && rest[0] != ')'
}

func (s *script) punct(c byte) {
	start := s.pos
	s.pos++
	var k Kinds
	switch {
	case c == '(' && (s.prev == ']' || s.prev == ')' || s.prev == '"'):
		k = IsUnknown // what is called is computed
	case c == '[' && (s.prev == 'a' || s.prev == ')' || s.prev == ']'):
		if n := strings.TrimLeft(s.text[s.pos:], " "); n == "" || n[0] != '"' && n[0] != '\'' && (n[0] < '0' || n[0] > '9') {
			k = IsUnknown // a member whose name is computed
		}
	case c == '+' && s.prev == '"':
		k = IsUnknown
	case c == '\\' || c == 0:
		k = IsUnknown
	}
	s.prev = c
	s.mark(start, k)
}
