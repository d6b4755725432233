package events

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Packed rows are how format 0 stores runs of stream chunks: seq0, time0 and the
// n-1 gaps dt stand for n assistant/chunk events, each with one piece of text.
const (
	typeTextChunks      Type = "text-chunks"
	typeReasoningChunks Type = "reasoning-chunks"
	typeToolCallChunks  Type = "tool-call-chunks"
)

func isPacked(t Type) bool {
	return t == typeTextChunks || t == typeReasoningChunks || t == typeToolCallChunks
}

type packedRow struct {
	Type  Type        `json:"type"`
	Seq0  *Seq        `json:"seq0"`
	Time0 *int64      `json:"time0"`
	Data  *packedData `json:"data"`
}

type packedData struct {
	Turn  int      `json:"turn"`
	Step  int      `json:"step"`
	Index *int     `json:"index"`
	Dt    []int64  `json:"dt"`
	Texts []string `json:"texts,omitzero"`
	ID    string   `json:"id,omitzero"`
	Name  *string  `json:"name,omitzero"`
	Args  []string `json:"args,omitzero"`
}

type chunkLine struct {
	Type Type      `json:"type"`
	Seq  Seq       `json:"seq"`
	Time int64     `json:"time"`
	Data chunkData `json:"data"`
}

type chunkData struct {
	Turn  int            `json:"turn"`
	Step  int            `json:"step"`
	Chunk jsontext.Value `json:"chunk"`
}

type textDelta struct {
	Type  string `json:"type"`
	Index int    `json:"index"`
	Text  string `json:"text"`
}

type toolCallDelta struct {
	Type           string  `json:"type"`
	Index          int     `json:"index"`
	ID             string  `json:"id"`
	Name           *string `json:"name,omitzero"`
	ArgumentsDelta string  `json:"argumentsDelta"`
}

// unpack decodes the events that a packed row stands for.
func unpack(line []byte) ([]Envelope, error) {
	lines, err := unpackLines(line)
	if err != nil {
		return nil, err
	}
	out := make([]Envelope, 0, len(lines))
	for _, l := range lines {
		e, err := decodeEnvelope(Format0, l)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// unpackLines writes a packed row as the single events that format 0 would have
// stored in its place.
func unpackLines(line []byte) ([][]byte, error) {
	var row packedRow
	if err := unmarshal(line, &row, strictMembers); err != nil {
		return nil, err
	}
	if err := row.check(); err != nil {
		return nil, err
	}
	lines := make([][]byte, 0, len(row.Data.Dt)+1)
	at := *row.Time0
	for i, piece := range row.pieces() {
		if i > 0 {
			at += row.Data.Dt[i-1]
		}
		chunk, err := row.chunk(piece)
		if err != nil {
			return nil, jsonError(err)
		}
		l, err := json.Marshal(chunkLine{TypeAssistantChunk, *row.Seq0 + Seq(i), at, chunkData{row.Data.Turn, row.Data.Step, chunk}})
		if err != nil {
			return nil, jsonError(err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

func (r packedRow) pieces() []string {
	if r.Type == typeToolCallChunks {
		return r.Data.Args
	}
	return r.Data.Texts
}

func (r packedRow) chunk(piece string) (jsontext.Value, error) {
	switch r.Type {
	case typeTextChunks:
		return json.Marshal(textDelta{"text-delta", *r.Data.Index, piece})
	case typeReasoningChunks:
		return json.Marshal(textDelta{"reasoning-delta", *r.Data.Index, piece})
	default:
		return json.Marshal(toolCallDelta{"tool-call-delta", *r.Data.Index, r.Data.ID, r.Data.Name, piece})
	}
}

func (r packedRow) check() error {
	if err := firstError(present("seq0", r.Seq0), present("time0", r.Time0), present("data", r.Data)); err != nil {
		return err
	}
	if err := firstError(safeSeq("seq0", *r.Seq0), safeSeq("time0", Seq(*r.Time0)), within("data", checkStep(r.Data.Turn, r.Data.Step)),
		present("data.index", r.Data.Index)); err != nil {
		return err
	}
	if len(r.pieces()) != len(r.Data.Dt)+1 {
		return fieldf("data.dt", "must have one gap less than there are pieces, has %d for %d", len(r.Data.Dt), len(r.pieces()))
	}
	for _, gap := range r.Data.Dt {
		if gap < -MaxSafeInteger || gap > MaxSafeInteger {
			return fieldf("data.dt", "must have gaps that a double can hold, has %d", gap)
		}
	}
	return nil
}
