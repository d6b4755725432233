package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/docket-engine/docket/events"
)

// Verify checks a session in the mirror: that the engine signed each message for its
// place, that the chain holds, that each event decodes, and that the log reaches
// every seal that the engine signed of it at the end of a turn, with the same chain.
// What it gives is what does not hold, and what is not proven; none means that all
// holds. The error says that the check itself could not be made.
func (a *Audit) Verify(ctx context.Context, id events.SessionID) ([]events.Finding, error) {
	log := a.logOf(id)
	chains := map[events.Seq]string{} // behind the event of that seq
	var found []events.Finding
	for m, err := range a.messages(ctx, id, false) {
		if err != nil {
			return found, fmt.Errorf("client: verify session %s: %w", id, err)
		}
		entries, err := log.take(m)
		if err != nil {
			return append(found, corrupt(log.at.Next, "", err)), nil
		}
		for _, e := range entries {
			if _, err := e.Decode(); err != nil {
				found = append(found, corrupt(e.Seq, e.Type(), err))
			}
		}
		chains[log.at.Next-1] = log.at.Chain.String()
	}
	sealed, err := a.checkSeals(ctx, id, chains)
	if err != nil {
		return found, fmt.Errorf("client: verify session %s: %w", id, err)
	}
	return append(found, sealed...), nil
}

func corrupt(seq events.Seq, t events.Type, err error) events.Finding {
	return events.Finding{Kind: events.FindingCorrupt, Seq: seq, Type: t, Problem: err.Error()}
}

// checkSeals compares the log with what was said of it elsewhere: a tail that was cut
// off shows nowhere else.
func (a *Audit) checkSeals(ctx context.Context, id events.SessionID, chains map[events.Seq]string) ([]events.Finding, error) {
	stream, err := a.js.Stream(ctx, auditStream)
	if err != nil {
		return nil, err
	}
	var found []events.Finding
	seals := 0
	for next := uint64(1); ; {
		m, err := stream.GetMsg(ctx, next, jetstream.WithGetMsgSubject(sealPrefix+string(id)))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			break
		}
		if err != nil {
			return found, err
		}
		next, seals = m.Sequence+1, seals+1
		if f, ok := a.checkSeal(id, m.Data, chains); !ok {
			found = append(found, f)
		}
	}
	if seals == 0 {
		found = append(found, events.Finding{Kind: events.FindingUnproven, Problem: "there is no seal: that nothing was cut off the end is not proven"})
	}
	return found, nil
}

func (a *Audit) checkSeal(id events.SessionID, text []byte, chains map[events.Seq]string) (events.Finding, bool) {
	s, err := a.keys.CheckSeal(id, text)
	if err != nil {
		return corrupt(s.Seq, "", fmt.Errorf("a seal: %w", err)), false
	}
	switch chain, there := chains[s.Seq]; {
	case !there:
		return corrupt(s.Seq, "", errors.New("the log does not reach what a seal says of it, or a message does not end there")), false
	case chain != s.Chain:
		return corrupt(s.Seq, "", errors.New("the log is another one than was sealed")), false
	default:
		return events.Finding{}, true
	}
}
