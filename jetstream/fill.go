package jetstream

import (
	"context"
	"fmt"
)

// Fill is how full the store is, from 0 to 1: the fullest of the streams that hold
// logs, and of what the account may store. 0 where nothing has a limit.
func (l *Log) Fill(ctx context.Context) (float64, error) {
	fullest := 0.0
	for _, name := range l.streams() {
		stream, err := l.js.Stream(ctx, name)
		if err != nil {
			return 0, fmt.Errorf("jetstream: how full stream %s is: %w", name, err)
		}
		known := stream.CachedInfo()
		fullest = max(fullest, share(known.State.Bytes, known.Config.MaxBytes))
	}
	account, err := l.js.AccountInfo(ctx)
	if err != nil {
		return 0, fmt.Errorf("jetstream: how full the account is: %w", err)
	}
	return max(fullest, share(account.Store, account.Limits.MaxStore)), nil
}

// share is a part of a limit; 0 and less are none.
func share(used uint64, limit int64) float64 {
	if limit <= 0 {
		return 0
	}
	return float64(used) / float64(limit)
}
