package jetstream_test

import (
	"strings"
	"testing"
	"time"

	"github.com/docket-engine/docket/jetstream"
)

func TestFsyncIsAlwaysOrAnInterval(t *testing.T) {
	tests := map[string]struct {
		want    jetstream.Fsync
		wantErr string
	}{
		"always": {want: jetstream.FsyncAlways},
		"250ms":  {want: jetstream.Fsync(250 * time.Millisecond)},
		"1s":     {want: jetstream.Fsync(time.Second)},
		"1m":     {want: jetstream.Fsync(time.Minute)},
		"":       {wantErr: `neither "always" nor an interval`},
		"never":  {wantErr: `neither "always" nor an interval`},
		"250":    {wantErr: `neither "always" nor an interval`},
		"Always": {wantErr: `neither "always" nor an interval`},
		"0s":     {wantErr: "ambiguous"},
		"1ms":    {wantErr: "not between 10ms and 1m0s"},
		"-1s":    {wantErr: "not between 10ms and 1m0s"},
		"2m":     {wantErr: "not between 10ms and 1m0s"},
	}
	for text, tt := range tests {
		t.Run(text, func(t *testing.T) {
			got, err := jetstream.ParseFsync(text)
			if !sameError(err, tt.wantErr) || got != tt.want {
				t.Errorf("got %v, %v, want %v, %q", got, err, tt.want, tt.wantErr)
			}
		})
	}
}

func TestFsyncIsReadBackFromItsText(t *testing.T) {
	for _, f := range []jetstream.Fsync{jetstream.FsyncAlways, jetstream.Fsync(250 * time.Millisecond)} {
		if got, err := jetstream.ParseFsync(f.String()); err != nil || got != f {
			t.Errorf("%q is read back as %v, %v", f.String(), got, err)
		}
	}
}

func TestFsyncIsAFlagValue(t *testing.T) {
	f := jetstream.FsyncAlways
	var value interface { // pflag.Value
		String() string
		Set(string) error
		Type() string
	} = &f
	if err := value.Set("250ms"); err != nil || f.Interval() != 250*time.Millisecond {
		t.Errorf("got %v, %v, want 250ms", f, err)
	}
	if err := value.Set("never"); err == nil || f.Interval() != 250*time.Millisecond {
		t.Errorf("a bad value: got %v, %v, want an error and no change", f, err)
	}
	if got := value.Type(); got != "always|interval" {
		t.Errorf("got type %q", got)
	}
}

// sameError reports whether err is nil if want is empty, and contains want
// otherwise.
func sameError(err error, want string) bool {
	if want == "" {
		return err == nil
	}
	return err != nil && strings.Contains(err.Error(), want)
}
