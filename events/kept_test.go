package events_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
)

// TestOnlyAWholeMarkIsAMark: the member kept is read wherever it stands, and is a
// mark only in the one shape that the engine writes. No shape makes a log unreadable.
func TestOnlyAWholeMarkIsAMark(t *testing.T) {
	hash := strings.Repeat("0f", 32)
	for name, c := range map[string]struct {
		block       string
		there, mark bool
	}{
		"none":              {`{"type":"text","text":"x"}`, false, false},
		"a person's":        {`{"type":"text","text":"x","kept":{"seq":3,"from":"person"}}`, true, true},
		"the parent's":      {`{"type":"text","text":"x","kept":{"seq":0,"from":"parent"}}`, true, true},
		"a piece":           {`{"type":"text","text":"x","kept":{"seq":3,"from":"person","rest":{"sha256":"` + hash + `","bytes":7}}}`, true, true},
		"more members":      {`{"type":"text","text":"x","kept":{"seq":3,"from":"person","later":1},"zz":2}`, true, true},
		"an escaped name":   {`{"type":"text","text":"x","\u006bept":{"seq":3,"from":"person"}}`, true, true},
		"somebody else's":   {`{"type":"text","text":"x","kept":{"seq":3,"from":"engine"}}`, true, false},
		"of nobody":         {`{"type":"text","text":"x","kept":{"seq":3}}`, true, false},
		"a seq before all":  {`{"type":"text","text":"x","kept":{"seq":-1,"from":"person"}}`, true, false},
		"a seq in part":     {`{"type":"text","text":"x","kept":{"seq":1.5,"from":"person"}}`, true, false},
		"a text":            {`{"type":"text","text":"x","kept":"person"}`, true, false},
		"a number":          {`{"type":"text","text":"x","kept":1}`, true, false},
		"null":              {`{"type":"text","text":"x","kept":null}`, true, false},
		"a rest of nothing": {`{"type":"text","text":"x","kept":{"seq":3,"from":"person","rest":{"sha256":"` + hash + `","bytes":0}}}`, true, false},
		"a rest of no hash": {`{"type":"text","text":"x","kept":{"seq":3,"from":"person","rest":{"sha256":"` + strings.ToUpper(hash) + `","bytes":1}}}`, true, false},
		"on an image":       {`{"type":"image","kept":{"seq":3,"from":"person"}}`, true, false},
		"another case":      {`{"type":"text","text":"x","Kept":{"seq":3,"from":"person"}}`, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			var b events.Block
			if err := json.Unmarshal([]byte(c.block), &b); err != nil {
				t.Fatal(err)
			}
			if there, mark := b.Kept != nil, b.Kept.Valid(); there != c.there || mark != c.mark {
				t.Errorf("got a mark %t, valid %t, want %t, %t", there, mark, c.there, c.mark)
			}
			if again, err := json.Marshal(b, jsontext.PreserveRawStrings(true)); err != nil || string(again) != c.block {
				t.Errorf("got %s, %v, want it as it was", again, err)
			}
			without, err := json.Marshal(b.WithoutKept())
			if err != nil || c.there && strings.Contains(string(without), "ept\"") || !c.there && string(without) != c.block {
				t.Errorf("got %s, %v without the mark", without, err)
			}
		})
	}
}

// TestAMarkIsWrittenAsItIsRead.
func TestAMarkIsWrittenAsItIsRead(t *testing.T) {
	text, err := json.Marshal(events.KeptBlock("Do not push.", events.Kept{Seq: 12, From: events.FromPerson}))
	if want := `{"type":"text","text":"Do not push.","kept":{"seq":12,"from":"person"}}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
}
