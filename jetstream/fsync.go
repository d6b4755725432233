package jetstream

import (
	"fmt"
	"time"
)

// Fsync says when an embedded server forces what it has acknowledged onto the
// disk. The zero value is [FsyncAlways]; any other value is an interval, and
// what was acknowledged within the last interval can be lost at a power cut. A
// killed process loses nothing under either form.
//
// Fsync is a flag value: a *Fsync satisfies pflag.Value.
type Fsync time.Duration

// FsyncAlways forces each message onto the disk before it is acknowledged.
const FsyncAlways Fsync = 0

// The bounds of an interval. Below the first one FsyncAlways is both safer and
// faster; above the second one a power cut would take more than a minute of
// acknowledged work.
const (
	minFsync = 10 * time.Millisecond
	maxFsync = time.Minute
)

const fsyncAlways = "always"

// ParseFsync reads "always" or an interval such as "250ms".
func ParseFsync(text string) (Fsync, error) {
	if text == fsyncAlways {
		return FsyncAlways, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf(`jetstream: fsync %q is neither "always" nor an interval such as "250ms"`, text)
	}
	// A zero interval is refused although it would mean "always": whoever writes
	// 0 may as well mean "never".
	f := Fsync(d)
	if d == 0 {
		return 0, fmt.Errorf(`jetstream: fsync %q is ambiguous: write "always" or an interval such as "250ms"`, text)
	}
	if err := f.validate(); err != nil {
		return 0, err
	}
	return f, nil
}

func (f Fsync) validate() error {
	if d := time.Duration(f); f != FsyncAlways && (d < minFsync || d > maxFsync) {
		return fmt.Errorf("jetstream: fsync interval %s is not between %s and %s", d, minFsync, maxFsync)
	}
	return nil
}

// Interval is the longest time for which acknowledged data may not be on the
// disk yet; zero for [FsyncAlways].
func (f Fsync) Interval() time.Duration { return time.Duration(f) }

// String is what [ParseFsync] reads: "always" or the interval.
func (f Fsync) String() string {
	if f == FsyncAlways {
		return fsyncAlways
	}
	return time.Duration(f).String()
}

// Set parses text into f, which is unchanged if that fails.
func (f *Fsync) Set(text string) error {
	parsed, err := ParseFsync(text)
	if err != nil {
		return err
	}
	*f = parsed
	return nil
}

// Type names the value in a command's usage text.
func (*Fsync) Type() string { return "always|interval" }
