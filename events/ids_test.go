package events_test

import (
	"strings"
	"testing"

	"github.com/docket-engine/docket/events"
)

func TestSessionIDs(t *testing.T) {
	for id, good := range map[string]bool{
		"s": true, "0197a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b": true, "A_z-9": true, strings.Repeat("x", 128): true, "-": true,
		"": false, strings.Repeat("x", 129): false, "a.b": false, "a/b": false, "a b": false, "a*": false, ">": false,
		"é": false, "a\n": false, "a\x00": false, "..": false, "\xff": false, "a:b": false, "$SYS": false,
	} {
		err := events.SessionID(id).Check()
		if good {
			wantField(t, err, "")
			continue
		}
		wantField(t, err, "id")
	}
}

func TestAppendIDs(t *testing.T) {
	for id, good := range map[string]bool{
		"a": true, "c:1/x~!": true, strings.Repeat("x", 128): true,
		"": false, strings.Repeat("x", 129): false, "a b": false, "a\t": false, "a\r\nNats-Msg-Id: b": false, "é": false, "\x7f": false,
	} {
		err := events.AppendID(id).Check()
		if good {
			wantField(t, err, "")
			continue
		}
		wantField(t, err, "append id")
	}
}
