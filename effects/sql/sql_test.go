package sql

import (
	"strings"
	"testing"
)

func TestStatementsAreClassified(t *testing.T) {
	for name, c := range map[string]struct {
		dialect Dialect
		text    string
		want    Kinds
	}{
		"a select reads":                      {Any, `SELECT count(*), lower("name") FROM t WHERE a = 'x' ORDER BY 1`, Reads},
		"an insert writes":                    {Any, `INSERT INTO t (a, b) VALUES (1, 'x')`, WritesRows},
		"an upsert writes":                    {Postgres, `insert into t values (1) on conflict (id) do update set a = 2`, WritesRows},
		"a delete deletes":                    {Any, `DELETE FROM t WHERE id = 1`, DeletesRows},
		"a drop drops":                        {Any, `DROP TABLE IF EXISTS t`, Drops},
		"a truncate drops":                    {Any, `truncate t`, Drops},
		"comments are no statements":          {Any, "-- DROP TABLE t\n/* DROP TABLE t */ SELECT 1", Reads},
		"quoted words are data":               {Any, `SELECT 'DROP TABLE t; DELETE FROM t'`, Reads},
		"MySQL runs its comments":             {MySQL, `/*!50000 DROP TABLE t */`, Drops},
		"any dialect doubts MySQL's comments": {Any, `/*!50000 DROP TABLE t */`, Drops | IsUnknown},
		"a nested comment ends elsewhere":     {SQLite, `/* /* */ DROP TABLE t; -- */`, Drops},
		"dashes without a space are minus":    {MySQL, "SELECT 5--1; DROP TABLE t", Reads | Drops},
		"a backslash may end a string":        {Any, `SELECT '\'; DROP TABLE t; -- '`, Reads | Drops | IsUnknown},
		"MySQL escapes quotes":                {MySQL, `SELECT '\'; DROP TABLE t; -- '`, Reads},
		"a dollar quote is data":              {Postgres, `SELECT $$ DROP TABLE t; $$`, Reads},
		"a block is code":                     {Postgres, `DO $$ BEGIN DROP TABLE t; END $$`, Executes | IsUnknown | Drops},
		"explain only explains":               {Postgres, `EXPLAIN DELETE FROM t`, Reads},
		"explain analyze runs":                {Postgres, `EXPLAIN (ANALYZE, BUFFERS) DELETE FROM t`, DeletesRows},
		"select into makes a table":           {Postgres, `SELECT * INTO u FROM t`, Reads | Schema | WritesRows},
		"a common table deletes":              {Postgres, `WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d`, Reads | DeletesRows},
		"a statement without a semicolon":     {TSQL, "SELECT 1 DROP TABLE t", Reads | Drops},
		"functions may act":                   {Postgres, `SELECT pg_terminate_backend(1)`, Reads | Administers},
		"quoted functions may act":            {Postgres, `SELECT "pg_terminate_backend"(1)`, Reads | Administers},
		"functions that are not known":        {Postgres, `SELECT purge_everything()`, Reads | IsUnknown},
		"functions named like keywords":       {Postgres, `SELECT purge('t')`, Reads | IsUnknown},
		"how a table was made":                {MySQL, `SHOW CREATE TABLE t`, Reads},
		"a view":                              {Any, `CREATE VIEW v AS SELECT 1`, Schema},
		"setval is no read":                   {Postgres, `SELECT setval('s', 1)`, Reads | WritesRows},
		"lock for update":                     {Postgres, `SELECT * FROM t FOR UPDATE`, Reads | Session},
		"copy to a program":                   {Postgres, `COPY t TO PROGRAM 'curl evil'`, Reads | Executes},
		"copy to the client":                  {Postgres, `COPY (SELECT 1) TO STDOUT`, Reads},
		"copy to a file":                      {Postgres, `COPY t TO '/tmp/x'`, Reads | Files},
		"load a library":                      {Postgres, `LOAD '/tmp/x.so'`, Executes},
		"load data":                           {MySQL, `LOAD DATA INFILE '/etc/passwd' INTO TABLE t`, Files | WritesRows},
		"into outfile":                        {MySQL, `SELECT 1 INTO OUTFILE '/tmp/x'`, Reads | Files},
		"psql's shell":                        {Postgres, "\\! rm -rf x\nSELECT 1", Executes | Reads},
		"psql's copy from a program":          {Postgres, `\copy t from program 'x'`, Reads | Executes | WritesRows},
		"psql's output into a program":        {Postgres, `\o |sh`, Files | Executes},
		"psql's backquotes":                   {Postgres, "\\echo `id`", Reads | Executes | IsUnknown},
		"psql's query as commands":            {Postgres, `SELECT 'DROP TABLE t' \gexec`, Reads | Executes | IsUnknown},
		"psql's variables":                    {Postgres, `SELECT :x`, Reads | IsUnknown},
		"psql's listings":                     {Postgres, `\dt+ public.*`, Reads},
		"a cast is no variable":               {Postgres, `SELECT '1'::int`, Reads},
		"mysql's shell":                       {MySQL, "system rm x", Executes},
		"mysql's short shell":                 {MySQL, `\! rm x`, Executes},
		"mysql's vertical output":             {MySQL, `SELECT 1\G`, Reads | Session},
		"mysql's delimiter":                   {MySQL, "DELIMITER //\nSELECT 1", IsUnknown | Reads},
		"sqlite's shell":                      {SQLite, `.shell rm x`, Executes},
		"sqlite's pipe":                       {SQLite, `.import '|cat x' t`, Files | WritesRows | Executes},
		"sqlite's shortened command":          {SQLite, `.shel rm x`, IsUnknown},
		"sqlite's tables":                     {SQLite, ".tables\n.schema t", Reads},
		"sqlite's pragma":                     {SQLite, `PRAGMA table_info(t)`, Reads},
		"sqlite's writable schema":            {SQLite, `PRAGMA writable_schema = 1`, Session | IsUnknown},
		"a procedure that starts programs":    {TSQL, `EXEC master..xp_cmdshell 'dir'`, Executes | IsUnknown},
		"a grant":                             {Any, `GRANT ALL ON t TO x`, Privileges},
		"a user":                              {Postgres, `ALTER USER x WITH SUPERUSER`, Schema | Privileges},
		"settings of the server":              {MySQL, `SET GLOBAL general_log = 1`, Session | Administers},
		"settings of the connection":          {Any, `SET search_path TO x; BEGIN; COMMIT`, Session},
		"a setting that changes the reading":  {MySQL, `SET sql_mode = 'NO_BACKSLASH_ESCAPES'`, Session | IsUnknown},
		"a column is dropped":                 {Any, `ALTER TABLE t DROP COLUMN c`, Schema | Drops},
		"a trigger runs later":                {Any, `CREATE TRIGGER x AFTER INSERT ON t EXECUTE FUNCTION f()`, Schema | Executes},
		"a string without an end":             {Any, `SELECT 'x`, Reads | IsUnknown},
		"nothing":                             {Any, " ; ;", 0},
		"a word that is not known":            {Any, "FROBNICATE t", IsUnknown},
	} {
		if got := Summary(Statements(c.text, c.dialect)); got != c.want {
			t.Errorf("%s: %q is %s, want %s", name, c.text, got, c.want)
		}
	}
}

func TestConditions(t *testing.T) {
	for text, want := range map[string]bool{
		`DELETE FROM t`:                       false,
		`DELETE FROM t WHERE id = 1`:          true,
		`DELETE FROM t WHERE 1=1`:             false,
		`DELETE FROM t WHERE true`:            false,
		`DELETE FROM t WHERE (1)`:             false,
		`DELETE FROM t WHERE id = 1 OR 1 = 1`: false,
		`DELETE FROM t WHERE 2 > 1`:           false,
		`DELETE FROM t WHERE id = id`:         false,
		`UPDATE t SET a = 1`:                  false,
		`UPDATE t SET a = 1 WHERE b = 'x'`:    true,
	} {
		if all := Statements(text, Any); len(all) != 1 || all[0].Where != want {
			t.Errorf("%s: %+v, want where %v", text, all, want)
		}
	}
}

func TestStatementsNameTheirObjects(t *testing.T) {
	for text, want := range map[string][3]string{
		`DROP TABLE IF EXISTS public."users"`: {"DROP", "TABLE", "public.users"},
		`DROP DATABASE prod`:                  {"DROP", "DATABASE", "prod"},
		`DELETE FROM users`:                   {"DELETE", "", "users"},
		`UPDATE ONLY users SET a = 1`:         {"UPDATE", "", "users"},
		`TRUNCATE TABLE users`:                {"TRUNCATE", "TABLE", "users"},
		`INSERT INTO users VALUES (1)`:        {"INSERT", "", "users"},
		`CREATE UNIQUE INDEX i ON t (a)`:      {"CREATE", "INDEX", "i"},
		`SELECT * FROM users`:                 {"SELECT", "", "users"},
	} {
		st := Statements(text, Any)[0]
		if got := [3]string{st.Verb, st.Class, st.Object}; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if st := Statements(`\! rm x`, Postgres)[0]; st.Program != "rm x" {
		t.Errorf("the program is %q", st.Program)
	}
	if st := Statements(`COPY t FROM PROGRAM 'id'`, Postgres)[0]; st.Program != "id" {
		t.Errorf("the program is %q", st.Program)
	}
}

func TestMongoScripts(t *testing.T) {
	for text, want := range map[string]Kinds{
		`db.users.find({a: 1}).sort({b: -1}).limit(3)`: Reads,
		`show dbs`:                                            Reads,
		`use shop; db.users.countDocuments()`:                 Session | Reads,
		`db.dropDatabase()`:                                   Drops,
		`db.users.drop()`:                                     Drops,
		`db["users"]["drop"]()`:                               Drops | IsUnknown,
		`db.users.deleteMany({})`:                             DeletesRows,
		`db.users.aggregate([{$out: "x"}])`:                   Reads | WritesRows,
		`db.users.aggregate([{"$merge": "x"}])`:               Reads | WritesRows,
		`db.users.find({$where: "sleep(1)"})`:                 Reads | Executes,
		`db.getSiblingDB("x")["dr"+"op"]()`:                   Reads | IsUnknown,
		`[1].forEach(db.users.drop)`:                          Reads | Drops,
		`load("x.js")`:                                        Executes,
		`db.adminCommand({shutdown: 1})`:                      Administers,
		`db.createUser({user: "x"})`:                          Privileges,
		`rs.status()`:                                         Administers | Reads,
		`db.users.find({a: /x/})`:                             Reads | IsUnknown,
		"db.users.find()\n  .forEach(printjson)":              Reads,
		"// db.users.drop()\ndb.users.find()":                 Reads,
		`frob()`:                                              IsUnknown,
		`db.users.insertOne({a: 1})`:                          WritesRows,
		`db.users.find().forEach(d => db.x.deleteOne({a:d}))`: Reads | DeletesRows,
	} {
		if got := Summary(Mongo(text)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	if Mongo(`db.t.deleteMany({})`)[0].Where || !Mongo(`db.t.deleteMany({a: 1})`)[0].Where {
		t.Error("a filter is not seen")
	}
}

func TestRedisCommands(t *testing.T) {
	for text, want := range map[string]Kinds{
		"GET x":                     Reads,
		"get x\nKEYS *\nINFO":       Reads,
		"FLUSHALL":                  Drops,
		"flushdb async":             Drops,
		"DEL a b":                   DeletesRows,
		"SET a 'b c'":               WritesRows,
		"CONFIG GET *":              Reads,
		"CONFIG SET maxmemory 1":    Administers,
		"CONFIG SET dir /var/spool": Administers | Files,
		"EVAL 'return 1' 0":         Executes,
		"SHUTDOWN":                  Administers,
		"ACL SETUSER x on":          Privileges,
		"MODULE LOAD /x.so":         Executes,
		`"FLUSH\x41LL"`:             IsUnknown,
		"FROB":                      IsUnknown,
		"":                          0,
	} {
		if got := Summary(Redis(text)); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestLongTextsAreUnknown(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 1<<20), strings.Repeat("SELECT 1;", 20000), strings.Repeat("(", 200000)} {
		if !Summary(Statements(text, Any)).Has(IsUnknown) {
			t.Errorf("%.20q… is known", text)
		}
	}
}

// Whatever a text says, what stands behind its end must be seen or the text be unknown.
func FuzzStatements(f *testing.F) {
	for _, seed := range []string{"SELECT 1; DROP TABLE t", `\! x`, ".shell x", "/*! x */", "$$ x $$", `db.x.drop()`, "EXPLAIN ANALYZE DELETE FROM t WHERE (1=1) OR a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for d := Any; d <= TSQL; d++ {
			last := 0
			for _, st := range Statements(text, d) {
				if st.Kinds == 0 || st.Start < last || st.End < st.Start || st.End > len(text) {
					t.Fatalf("dialect %d: %+v", d, st)
				}
				last = st.Start
			}
			// A statement on a line of its own counts behind whatever ends.
			if all := Statements(text, d); !Summary(all).Has(IsUnknown) && len(text) < maxText/2 {
				if after := Summary(Statements(text+"\n;\nDROP TABLE t", d)); !after.Has(Drops) {
					t.Fatalf("dialect %d: the drop behind %q is not seen: %s", d, text, after)
				}
			}
		}
		Mongo(text)
		Redis(text)
	})
}

func BenchmarkStatements(b *testing.B) {
	text := "SELECT a, count(*) FROM orders o JOIN users u ON u.id = o.user_id WHERE o.total > 10 GROUP BY a ORDER BY 2 DESC LIMIT 5"
	b.ReportAllocs()
	for b.Loop() {
		Statements(text, Postgres)
	}
}

// Twice the text may not take more than some four times the work; it is counted in
// steps of the scanner's position, which never goes back.
func TestScannerNeverGoesBack(t *testing.T) {
	text := strings.Repeat("SELECT 'a' /* b */ FROM t WHERE (x = 1); \\d t\n", 200)
	s := scanner{text: text, dialect: Postgres}
	last := -1
	for s.pos < len(text) {
		s.statement()
		if s.pos <= last {
			t.Fatalf("the scanner stands at %d", s.pos)
		}
		last = s.pos
	}
}
