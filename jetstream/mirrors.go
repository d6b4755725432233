package jetstream

import (
	"context"

	natsjs "github.com/nats-io/nats.go/jetstream"
)

// Mirrors are the configurations of copies of the layout's logs in another account:
// same names, same sequences, and nothing can be taken out of them. The prefixes are
// what that account calls the JetStream of the logs, and where it gets their messages.
// Snapshots are not copied: they are no evidence.
func (l Layout) Mirrors(apiPrefix, deliverPrefix string) ([]natsjs.StreamConfig, error) {
	streams, err := l.Streams()
	if err != nil {
		return nil, err
	}
	var mirrors []natsjs.StreamConfig
	for _, s := range streams {
		if s.Name == SnapshotsStream {
			continue
		}
		s.Subjects, s.RePublish = nil, nil
		s.Discard = natsjs.DiscardOld // a mirror takes what comes; it has no limit either way
		s.MaxBytes = unlimited
		s.Mirror = &natsjs.StreamSource{
			Name:     s.Name,
			External: &natsjs.ExternalStream{APIPrefix: apiPrefix, DeliverPrefix: deliverPrefix},
		}
		s.MirrorDirect = false // it must not answer for the stream that it copies
		mirrors = append(mirrors, s)
	}
	return mirrors, nil
}

// ProvisionMirrors makes the mirrors that are missing, as [Provision] makes streams.
// The client is one in the account of the mirrors.
func ProvisionMirrors(ctx context.Context, js natsjs.StreamManager, mirrors []natsjs.StreamConfig) ([]string, error) {
	return provision(ctx, js, mirrors)
}

// MissingMirrors is [Missing] for mirrors.
func MissingMirrors(ctx context.Context, js natsjs.StreamManager, mirrors []natsjs.StreamConfig) ([]string, error) {
	return namesMissing(ctx, js, mirrors)
}
