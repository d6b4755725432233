package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"
)

const (
	createAttempts = 6
	createBackoff  = 25 * time.Millisecond // doubled after each attempt

	// codeCreateFailed is the server's answer when a stream cannot be made just
	// now: among others while it still removes the account directory of the last
	// stream that was deleted.
	codeCreateFailed natsjs.ErrorCode = 10049
)

// Provision makes the streams of the layout that are missing and returns their
// names, so that the owner of an embedded server can call [Server.MakeDurable]
// before they are used. It may be called at every start and by several engines
// at once.
//
// An existing stream is never changed. If any differs from the layout in what
// the log relies on, nothing is made and the error holds an
// *[IncompatibleError] for each.
//
// A stream whose own settings are damaged is unknown to the server although its
// messages are there. It counts as missing, and is made again over them.
func Provision(ctx context.Context, js natsjs.StreamManager, layout Layout) ([]string, error) {
	streams, err := layout.Streams()
	if err != nil {
		return nil, err
	}
	return provision(ctx, js, streams)
}

func provision(ctx context.Context, js natsjs.StreamManager, streams []natsjs.StreamConfig) ([]string, error) {
	missing, err := missingStreams(ctx, js, streams)
	if err != nil {
		return nil, err
	}
	var created []string
	for _, cfg := range missing {
		if err := createStream(ctx, js, cfg); err != nil {
			return created, err
		}
		created = append(created, cfg.Name)
	}
	return created, nil
}

// Missing returns the names of the layout's streams that are not there, and makes
// none. The error holds an *[IncompatibleError] for each that is not what the log
// relies on.
func Missing(ctx context.Context, js natsjs.StreamManager, layout Layout) ([]string, error) {
	streams, err := layout.Streams()
	if err != nil {
		return nil, err
	}
	return namesMissing(ctx, js, streams)
}

func namesMissing(ctx context.Context, js natsjs.StreamManager, streams []natsjs.StreamConfig) ([]string, error) {
	missing, err := missingStreams(ctx, js, streams)
	names := make([]string, len(missing))
	for i, cfg := range missing {
		names[i] = cfg.Name
	}
	return names, err
}

// missingStreams checks the streams that exist and returns those that do not.
func missingStreams(ctx context.Context, js natsjs.StreamManager, streams []natsjs.StreamConfig) ([]natsjs.StreamConfig, error) {
	var missing []natsjs.StreamConfig
	var incompatible []error
	for _, cfg := range streams {
		err := checkStream(ctx, js, cfg)
		switch _, differs := errors.AsType[*IncompatibleError](err); {
		case err == nil:
		case errors.Is(err, natsjs.ErrStreamNotFound):
			missing = append(missing, cfg)
		case differs:
			incompatible = append(incompatible, err)
		default:
			return nil, err
		}
	}
	return missing, errors.Join(incompatible...)
}

func checkStream(ctx context.Context, js natsjs.StreamManager, want natsjs.StreamConfig) error {
	stream, err := js.Stream(ctx, want.Name)
	if err != nil {
		return fmt.Errorf("jetstream: look up stream %s: %w", want.Name, err)
	}
	return compatible(stream, want)
}

func compatible(stream natsjs.Stream, want natsjs.StreamConfig) error {
	if ds := differences(stream.CachedInfo().Config, want); len(ds) > 0 {
		return fmt.Errorf("jetstream: %w", &IncompatibleError{Stream: want.Name, Differences: ds})
	}
	return nil
}

// createStream makes one stream. What the server answers is compared once
// more: a server that is too old to know a setting drops it in silence.
func createStream(ctx context.Context, js natsjs.StreamManager, cfg natsjs.StreamConfig) error {
	for attempt := 1; ; attempt++ {
		stream, err := js.CreateStream(ctx, cfg)
		if err == nil {
			return compatible(stream, cfg)
		}
		if errors.Is(err, natsjs.ErrStreamNameAlreadyInUse) {
			return checkStream(ctx, js, cfg) // someone else was first
		}
		if attempt == createAttempts || !retryable(err) {
			return fmt.Errorf("jetstream: create stream %s: %w", cfg.Name, err)
		}
		select {
		case <-time.After(createBackoff << (attempt - 1)):
		case <-ctx.Done():
			return fmt.Errorf("jetstream: create stream %s: %w", cfg.Name, errors.Join(context.Cause(ctx), err))
		}
	}
}

func retryable(err error) bool {
	api, ok := errors.AsType[*natsjs.APIError](err)
	return ok && api.ErrorCode == codeCreateFailed
}
