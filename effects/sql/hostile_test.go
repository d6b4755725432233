package sql

import (
	"strings"
	"testing"
)

// A text may be made to be slow; the test's own time limit would tell.
func TestHostileTextsEnd(t *testing.T) {
	const size = 126 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for _, text := range []string{
		fill("["), fill("$a$"), fill("/*"), fill("/*!"), fill("'"), fill("("), fill("a."), fill("\\"), fill("\\copy "), fill("\\! a\n"), fill(".a\n"), fill("explain "),
		fill("prepare a as "), fill("do $a$ "), fill("select "), fill("delete from t where a or "), "delete from t where " + fill("(a or b) or "), fill("exec 'exec '"),
		fill("\n"), fill("a\n\n"), fill("a.\n\n"), fill("db.x["), fill("f("), fill("x "), fill("copy t to program 'a' to "), fill("alter table drop "), fill(";"), fill("-- "),
	} {
		for d := Any; d <= TSQL; d++ {
			Statements(text, d)
		}
		Mongo(text)
		Redis(text)
	}
}
