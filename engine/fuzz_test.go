package engine_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"testing"

	"github.com/docket-engine/docket/engine"
	"github.com/docket-engine/docket/events/eventstest"
)

// FuzzSessionFile imports hostile bytes: they are refused and nothing is stored,
// or they are a session that verifies and that is exported as it came.
func FuzzSessionFile(f *testing.F) {
	plain := lines(headerLine, turnLine, endLine)
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	if _, err := gz.Write(plain); err != nil {
		f.Fatal(err)
	}
	if err := gz.Close(); err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{
		plain, packed.Bytes(), nil, lines(headerLine), plain[:len(plain)-1], lines(headerLine, turnLine, ""), lines(headerLine+"\r", turnLine),
		{0x28, 0xb5, 0x2f, 0xfd},
		{0x1f, 0x8b},
		lines(`{"type":"session","version":0,"id":"s","createdAt":1}`, turnLine, `{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":1}}`,
			`{"type":"text-chunks","seq0":2,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[1],"texts":["a","b"]}}`),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var log eventstest.Memory
		done, err := engine.Import(t.Context(), &log, engine.ImportRequest{File: file(data), Actor: human, Limits: engine.Limits{Line: 10_000, Text: 100_000}})
		if err != nil {
			if _, ok := errors.AsType[*engine.ImportError](err); !ok {
				t.Errorf("got %v, want an import error", err)
			}
			for id := range log.Sessions(t.Context()) {
				t.Errorf("session %s is stored", id)
			}
			return
		}
		verified(t, &log, done.Header.ID)
		out, _ := exportText(t, &log, done.Header.ID, engine.ExportOptions{})
		if again := importText(t, &log, out); !again.AlreadyThere {
			t.Errorf("got %+v for the export, want that it is already there", again)
		}
		if !packedFile(data) && !bytes.Equal(bytes.TrimSuffix(out, []byte("\n")), bytes.TrimSuffix(data, []byte("\n"))) {
			t.Errorf("the export is %q, the file %q", out, data)
		}
	})
}

func packedFile(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) || bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd})
}
