package events

import (
	"github.com/go-json-experiment/json/jsontext"
)

// SurfaceOp says what an event does to the surface. The zero value is none: the
// event is log-only.
type SurfaceOp struct {
	kind       surfaceKind
	start, end Seq
}

type surfaceKind uint8

const (
	surfaceNone surfaceKind = iota
	surfaceAppend
	surfaceReplace
)

// SurfaceAppend puts the event at the end of the surface.
func SurfaceAppend() SurfaceOp { return SurfaceOp{kind: surfaceAppend} }

// SurfaceReplace puts the event in the place of the nodes from the position of
// start to the position of end, both included.
func SurfaceReplace(start, end Seq) SurfaceOp {
	return SurfaceOp{kind: surfaceReplace, start: start, end: end}
}

// None reports whether there is no op.
func (op SurfaceOp) None() bool { return op.kind == surfaceNone }

// Append reports whether the op appends.
func (op SurfaceOp) Append() bool { return op.kind == surfaceAppend }

// Replace gives the first and the last node that the op replaces.
func (op SurfaceOp) Replace() (start, end Seq, ok bool) {
	return op.start, op.end, op.kind == surfaceReplace
}

type replaceFields struct {
	Op       string `json:"op"`
	StartSeq *Seq   `json:"startSeq"`
	EndSeq   *Seq   `json:"endSeq"`
}

type replaceFields0 struct {
	Op    string `json:"op"`
	Start *Seq   `json:"start"`
	End   *Seq   `json:"end"`
}

// parseSurfaceOp reads "append" or a replace object; its keys are start and end
// in format 0, startSeq and endSeq since.
func parseSurfaceOp(format Format, v jsontext.Value) (SurfaceOp, error) {
	switch {
	case len(v) == 0:
		return SurfaceOp{}, nil
	case string(v) == `"append"`:
		return SurfaceAppend(), nil
	case v.Kind() != '{':
		return SurfaceOp{}, fieldf("surfaceOp", `must be "append" or an object with op "replace"`)
	}
	var f replaceFields
	if format == Format0 {
		var f0 replaceFields0
		if err := unmarshal(v, &f0, strictMembers); err != nil {
			return SurfaceOp{}, within("surfaceOp", err)
		}
		f = replaceFields{Op: f0.Op, StartSeq: f0.Start, EndSeq: f0.End}
	} else if err := unmarshal(v, &f, strictMembers); err != nil {
		return SurfaceOp{}, within("surfaceOp", err)
	}
	if f.Op != "replace" || f.StartSeq == nil || f.EndSeq == nil {
		return SurfaceOp{}, fieldf("surfaceOp", `must have op "replace" and both ends of the range`)
	}
	if err := firstError(safeSeq("surfaceOp.startSeq", *f.StartSeq), safeSeq("surfaceOp.endSeq", *f.EndSeq)); err != nil {
		return SurfaceOp{}, err
	}
	return SurfaceReplace(*f.StartSeq, *f.EndSeq), nil
}

// MarshalJSONTo writes the op as format 4 has it.
func (op SurfaceOp) MarshalJSONTo(enc *jsontext.Encoder) error {
	if op.kind == surfaceAppend {
		return enc.WriteToken(jsontext.String("append"))
	}
	for _, t := range []jsontext.Token{
		jsontext.BeginObject, jsontext.String("op"), jsontext.String("replace"),
		jsontext.String("startSeq"), jsontext.Int(int64(op.start)), jsontext.String("endSeq"), jsontext.Int(int64(op.end)), jsontext.EndObject,
	} {
		if err := enc.WriteToken(t); err != nil {
			return err
		}
	}
	return nil
}
