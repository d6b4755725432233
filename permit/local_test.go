package permit_test

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/permit"
)

func seal(t *testing.T, k *permit.LocalKey, p permit.Permit) permit.Signed {
	t.Helper()
	s, err := k.Seal(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASealedPermitIsBurntOnceByTheKeysOwnExecutor(t *testing.T) {
	k := permit.NewLocalKey()
	x := k.Executor()
	s := seal(t, k, given(x.Expect(scope)))
	p, err := x.Burn(s, now)
	if err != nil || string(p.Arguments) != `{"command":"ls"}` {
		t.Fatalf("got %+v, %v, want the permit", p, err)
	}
	if _, err := x.Burn(s, now); !errors.Is(err, permit.ErrNonce) {
		t.Errorf("got %v the second time, want ErrNonce", err)
	}
}

// TestSealedAndSignedPermitsAreNotTakenForOneAnother: the nonce is each executor's
// own, so that nothing but what the permit is trusted by can refuse it.
func TestSealedAndSignedPermitsAreNotTakenForOneAnother(t *testing.T) {
	private, mine, other := key(t), permit.NewLocalKey(), permit.NewLocalKey()
	for name, tt := range map[string]struct {
		executor *permit.Executor
		permit   func(permit.Permit) permit.Signed
	}{
		"signed, for a local executor": {mine.Executor(), func(p permit.Permit) permit.Signed { return sign(t, p, private) }},
		"sealed, for another key's":    {mine.Executor(), func(p permit.Permit) permit.Signed { return seal(t, other, p) }},
		"sealed, for one elsewhere":    {permit.NewExecutor(public(private)), func(p permit.Permit) permit.Signed { return seal(t, mine, p) }},
		"sealed, for one without key":  {permit.NewExecutor(nil), func(p permit.Permit) permit.Signed { return seal(t, mine, p) }},
		"nothing, for a local one":     {mine.Executor(), func(p permit.Permit) permit.Signed { return permit.Signed{Permit: p} }},
		"half a seal": {mine.Executor(), func(p permit.Permit) permit.Signed {
			s := seal(t, mine, p)
			s.Signature = s.Signature[:16]
			return s
		}},
	} {
		t.Run(name, func(t *testing.T) {
			nonce := tt.executor.Expect(scope)
			if _, err := tt.executor.Burn(tt.permit(given(nonce)), now); !errors.Is(err, permit.ErrSignature) {
				t.Errorf("got %v, want ErrSignature", err)
			}
			if _, err := tt.executor.Return(nonce); err != nil {
				t.Errorf("the refused permit has used the nonce up: %v", err)
			}
		})
	}
}

func TestASealedPermitThatIsChangedIsRefused(t *testing.T) {
	k := permit.NewLocalKey()
	x := k.Executor()
	s := seal(t, k, given(x.Expect(scope)))
	s.Permit.Arguments = jsontext.Value(`{"command":"rm -r x"}`)
	if _, err := x.Burn(s, now); !errors.Is(err, permit.ErrSignature) {
		t.Errorf("got %v, want ErrSignature", err)
	}
}

func TestASealedPermitIsHeldAgainstAllElse(t *testing.T) {
	k := permit.NewLocalKey()
	for name, tt := range map[string]struct {
		change func(*permit.Permit)
		want   error
	}{
		"another nonce": {func(p *permit.Permit) { p.Nonce = "other" }, permit.ErrNonce},
		"another call":  {func(p *permit.Permit) { p.CallID = "d" }, permit.ErrScope},
		"too late":      {func(p *permit.Permit) { p.ExpiresAt = now.UnixMilli() }, permit.ErrExpired},
		"arguments":     {func(p *permit.Permit) { p.ArgumentHash = "00" }, permit.ErrArguments},
	} {
		t.Run(name, func(t *testing.T) {
			x := k.Executor()
			p := given(x.Expect(scope))
			tt.change(&p)
			if _, err := x.Burn(seal(t, k, p), now); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

func TestAnExecutorTrustsItsOwnLocalKey(t *testing.T) {
	k := permit.NewLocalKey()
	elsewhere := permit.NewExecutor(public(key(t)))
	if !k.Executor().Trusts(k) || permit.NewLocalKey().Executor().Trusts(k) || elsewhere.Trusts(k) || elsewhere.Trusts(nil) {
		t.Error("got an executor that trusts another key than its own")
	}
}

func TestALocalKeyIsNotPrinted(t *testing.T) {
	k := permit.NewLocalKey()
	for _, verb := range []string{"%v", "%+v", "%#v"} {
		if got := fmt.Sprintf(verb, k); strings.Count(got, " ") > 1 || len(got) > 80 {
			t.Errorf("got %s with %s, which may be the key", got, verb)
		}
	}
}

func BenchmarkAPermit(b *testing.B) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		b.Fatal(err)
	}
	local := permit.NewLocalKey()
	b.Run("signed", func(b *testing.B) {
		x := permit.NewExecutor(public(private))
		for b.Loop() {
			s, err := permit.Sign(given(x.Expect(scope)), private)
			if err == nil {
				_, err = x.Burn(s, now)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sealed", func(b *testing.B) {
		x := local.Executor()
		for b.Loop() {
			s, err := local.Seal(given(x.Expect(scope)))
			if err == nil {
				_, err = x.Burn(s, now)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
