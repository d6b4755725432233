package engine

import (
	"context"
	"fmt"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

// evidence notes which files the call would execute, before anybody reviews it: what
// they are then goes on the record with the review's request, into the dispatch and
// into the permit, and is what the executor finds or runs nothing (design section 8).
// Evidence that cannot be taken is a review that failed.
func (op *operation) evidence() (files []events.ExecutedFile) {
	if op.gate.cfg.Evidence == nil {
		return nil
	}
	defer func() {
		if v := recover(); v != nil {
			op.unread = fmt.Errorf("the files that the call would execute cannot be looked at: %v", v)
		}
	}()
	op.files, op.unread = nil, nil
	op.files = op.gate.cfg.Evidence(op.pending())
	return op.files
}

// recall takes the evidence of a call that is on the log already from its review's
// request, since what the files are now is not what was reviewed.
func (op *operation) recall(ctx context.Context, call openCall) error {
	if call.Requested == nil {
		return nil
	}
	found, err := op.gate.engine.eventsAt(ctx, op.req.Session, []events.Seq{*call.Requested})
	for _, e := range found {
		if r, ok := e.Event.(events.ReviewRequested); ok && r.CallID == op.req.CallID {
			op.files = r.Files
		}
	}
	return err
}

// executedBy are the files of a dispatch as a permit has them.
func executedBy(d events.ToolDispatched) (files []permit.File) {
	for _, f := range d.Files {
		files = append(files, permit.File{Path: f.Path, SHA256: f.SHA256, Size: f.Size})
	}
	return files
}
