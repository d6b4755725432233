package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// errNoMessage says that the stream has no such message.
var errNoMessage = errors.New("no message")

// leaderRequest is the body of $JS.API.STREAM.MSG.GET.
type leaderRequest struct {
	Seq        uint64 `json:"seq,omitzero"`
	NextBySubj string `json:"next_by_subj,omitzero"`
	LastBySubj string `json:"last_by_subj,omitzero"`
}

type leaderReply struct {
	Error   *natsjs.APIError `json:"error"`
	Message *struct {
		Subject string `json:"subject"`
		Seq     uint64 `json:"seq"`
		Header  []byte `json:"hdrs"`
		Data    []byte `json:"data"`
	} `json:"message"`
}

// fromLeader reads one message from the stream's leader. The client library's
// own call asks any replica where a stream allows direct gets, and a replica may
// not have what was just acknowledged (spec: jetstream 4.3). While a stream has
// no leader nobody answers, so that it is asked again for a while.
func (l *Log) fromLeader(ctx context.Context, stream string, req leaderRequest) (stored, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return stored{}, err
	}
	give := time.Now().Add(leaderPatience)
	for wait := backoffStart; ; wait = min(2*wait, backoffLimit) {
		m, err := l.askLeader(ctx, stream, body)
		if err == nil || errors.Is(err, errNoMessage) {
			return m, err
		}
		if !mayPass(err) || time.Now().After(give) {
			return stored{}, fmt.Errorf("read from the leader of %s: %w", stream, err)
		}
		if cause := pause(ctx, wait); cause != nil {
			return stored{}, fmt.Errorf("read from the leader of %s: %w (last: %w)", stream, cause, err)
		}
	}
}

var errNoAnswer = errors.New("no answer")

// askLeader asks once. Its own timeout is none of the caller's context.
func (l *Log) askLeader(ctx context.Context, stream string, body []byte) (stored, error) {
	once, cancel := context.WithTimeoutCause(ctx, leaderTimeout, errNoAnswer)
	defer cancel()
	msg, err := l.nc.RequestWithContext(once, l.api+"STREAM.MSG.GET."+stream, body)
	if err != nil {
		if once.Err() != nil {
			err = context.Cause(once)
		}
		return stored{}, err
	}
	var reply leaderReply
	if err := json.Unmarshal(msg.Data, &reply); err != nil {
		return stored{}, err
	}
	switch {
	case reply.Error != nil && reply.Error.ErrorCode == natsjs.JSErrCodeMessageNotFound:
		return stored{}, errNoMessage
	case reply.Error != nil:
		return stored{}, reply.Error
	case reply.Message == nil:
		return stored{}, errors.New("the reply holds no message")
	}
	header, err := decodeHeader(reply.Message.Header)
	if err != nil {
		return stored{}, err
	}
	return stored{subject: reply.Message.Subject, stream: reply.Message.Seq, header: header, data: reply.Message.Data}, nil
}

// mayPass reports whether a request failed for a reason that may pass by itself.
func mayPass(err error) bool {
	if api, ok := errors.AsType[*natsjs.APIError](err); ok {
		return api.Code >= 500
	}
	return errors.Is(err, errNoAnswer) || errors.Is(err, nats.ErrNoResponders)
}

func decodeHeader(raw []byte) (nats.Header, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	return nats.DecodeHeadersMsg(raw)
}

// firstAfter is the first message of a subject with a sequence above after.
func (l *Log) firstAfter(ctx context.Context, a address, after uint64) (stored, error) {
	if l.files != nil {
		return l.files.firstAfter(a, after)
	}
	return l.fromLeader(ctx, a.stream, leaderRequest{Seq: after + 1, NextBySubj: a.subject})
}

// last is the last message of a subject.
func (l *Log) last(ctx context.Context, a address) (stored, error) {
	if l.files != nil {
		return l.files.last(a)
	}
	return l.fromLeader(ctx, a.stream, leaderRequest{LastBySubj: a.subject})
}
