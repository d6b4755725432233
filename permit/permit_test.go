package permit_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

var (
	now   = time.UnixMilli(1_800_000_000_000)
	scope = permit.Scope{Session: "s", CallID: "c", Tool: "shell"}
)

func key(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

func public(k ed25519.PrivateKey) ed25519.PublicKey { return k.Public().(ed25519.PublicKey) }

// given is what an engine would sign for a nonce.
func given(nonce string) permit.Permit {
	arguments := jsontext.Value(`{"command":"ls"}`)
	return permit.Permit{
		Session: "s", Turn: 1, Step: 1, CallID: "c", Tool: "shell", Arguments: arguments,
		Seq: 7, VerdictSeq: new(events.Seq(6)), ArgumentHash: permit.ArgumentHash(arguments),
		Mode: events.ModeDangerFullAccess, Nonce: nonce, ExpiresAt: now.UnixMilli() + 30_000, Chain: "ab",
	}
}

func sign(t *testing.T, p permit.Permit, k ed25519.PrivateKey) permit.Signed {
	t.Helper()
	s, err := permit.Sign(p, k)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAPermitIsBurntOnce(t *testing.T) {
	k := key(t)
	x := permit.NewExecutor(public(k))
	s := sign(t, given(x.Expect(scope)), k)
	p, err := x.Burn(s, now)
	if err != nil || string(p.Arguments) != `{"command":"ls"}` || p.Mode != events.ModeDangerFullAccess {
		t.Fatalf("got %+v, %v, want the permit", p, err)
	}
	if _, err := x.Burn(s, now); !errors.Is(err, permit.ErrNonce) {
		t.Errorf("got %v the second time, want ErrNonce", err)
	}
}

func TestOfManyWhoBurnAPermitOneDoes(t *testing.T) {
	k := key(t)
	x := permit.NewExecutor(public(k))
	s := sign(t, given(x.Expect(scope)), k)
	var wg sync.WaitGroup
	burnt := make(chan struct{}, 32)
	for range cap(burnt) {
		wg.Go(func() {
			if _, err := x.Burn(s, now); err == nil {
				burnt <- struct{}{}
			}
		})
	}
	wg.Wait()
	if n := len(burnt); n != 1 {
		t.Errorf("got %d bodies, want 1", n)
	}
}

func TestAPermitThatIsNotAsItWasSignedIsRefused(t *testing.T) {
	seq := events.Seq(6)
	for name, change := range map[string]func(*permit.Permit){
		"session":      func(p *permit.Permit) { p.Session = "other" },
		"turn":         func(p *permit.Permit) { p.Turn = 2 },
		"step":         func(p *permit.Permit) { p.Step = 2 },
		"call":         func(p *permit.Permit) { p.CallID = "d" },
		"tool":         func(p *permit.Permit) { p.Tool = "write" },
		"arguments":    func(p *permit.Permit) { p.Arguments = jsontext.Value(`{"command":"rm -r x"}`) },
		"hash":         func(p *permit.Permit) { p.ArgumentHash = "00" },
		"mode":         func(p *permit.Permit) { p.Mode = events.ModeReadOnly },
		"what allowed": func(p *permit.Permit) { p.VerdictSeq, p.PresetSeq = nil, &seq },
		"expiry":       func(p *permit.Permit) { p.ExpiresAt += 60_000 },
		"chain":        func(p *permit.Permit) { p.Chain = "cd" },
	} {
		t.Run(name, func(t *testing.T) {
			k := key(t)
			x := permit.NewExecutor(public(k))
			s := sign(t, given(x.Expect(scope)), k)
			change(&s.Permit)
			if _, err := x.Burn(s, now); !errors.Is(err, permit.ErrSignature) {
				t.Errorf("got %v, want ErrSignature", err)
			}
		})
	}
}

func TestAPermitOfAnotherEngineIsRefused(t *testing.T) {
	x := permit.NewExecutor(public(key(t)))
	if _, err := x.Burn(sign(t, given(x.Expect(scope)), key(t)), now); !errors.Is(err, permit.ErrSignature) {
		t.Errorf("got %v, want ErrSignature", err)
	}
	none := permit.NewExecutor(nil)
	if _, err := none.Burn(sign(t, given(none.Expect(scope)), key(t)), now); !errors.Is(err, permit.ErrSignature) {
		t.Errorf("got %v without a key, want ErrSignature", err)
	}
}

func TestASecondExecutorAndARestartedOneRunNothing(t *testing.T) {
	k := key(t)
	first, second := permit.NewExecutor(public(k)), permit.NewExecutor(public(k))
	s := sign(t, given(first.Expect(scope)), k)
	if _, err := second.Burn(s, now); !errors.Is(err, permit.ErrNonce) {
		t.Errorf("got %v, want ErrNonce", err)
	}
}

func TestALatePermitIsRefused(t *testing.T) {
	k := key(t)
	x := permit.NewExecutor(public(k))
	s := sign(t, given(x.Expect(scope)), k)
	if _, err := x.Burn(s, time.UnixMilli(s.Permit.ExpiresAt)); !errors.Is(err, permit.ErrExpired) {
		t.Errorf("got %v, want ErrExpired", err)
	}
}

func TestANonceIsForOneCall(t *testing.T) {
	k := key(t)
	x := permit.NewExecutor(public(k))
	other := scope
	other.CallID = "d"
	if _, err := x.Burn(sign(t, given(x.Expect(other)), k), now); !errors.Is(err, permit.ErrScope) {
		t.Errorf("got %v, want ErrScope", err)
	}
}

func TestArgumentsThatAreNotTheDispatchedOnesAreRefused(t *testing.T) {
	k := key(t)
	x := permit.NewExecutor(public(k))
	p := given(x.Expect(scope))
	p.Arguments = jsontext.Value(`{"command":"ls -l"}`)
	if _, err := x.Burn(sign(t, p, k), now); !errors.Is(err, permit.ErrArguments) {
		t.Errorf("got %v, want ErrArguments", err)
	}
}

func TestAPermitThatIsReturnedIsNeverBurnt(t *testing.T) {
	k := key(t)
	x := permit.NewExecutor(public(k))
	nonce := x.Expect(scope)
	s := sign(t, given(nonce), k)
	proof, err := x.Return(nonce)
	if err != nil || !permit.Returned(nonce, proof) {
		t.Fatalf("got %q, %v, want a proof", proof, err)
	}
	if _, err := x.Burn(s, now); !errors.Is(err, permit.ErrNonce) {
		t.Errorf("got %v, want ErrNonce", err)
	}
	if _, err := x.Return(nonce); !errors.Is(err, permit.ErrNonce) {
		t.Errorf("got %v from a second return, want ErrNonce", err)
	}
}

func TestABurntPermitIsNotReturned(t *testing.T) {
	k := key(t)
	x := permit.NewExecutor(public(k))
	nonce := x.Expect(scope)
	if _, err := x.Burn(sign(t, given(nonce), k), now); err != nil {
		t.Fatal(err)
	}
	if proof, err := x.Return(nonce); !errors.Is(err, permit.ErrNonce) {
		t.Errorf("got %q, %v, want ErrNonce", proof, err)
	}
}

func TestAProofIsOfItsOwnNonceAlone(t *testing.T) {
	x := permit.NewExecutor(public(key(t)))
	mine, other := x.Expect(scope), x.Expect(scope)
	proof, err := x.Return(mine)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []struct{ nonce, proof string }{{other, proof}, {mine, ""}, {"", ""}, {mine, "!"}, {mine, mine}} {
		if permit.Returned(wrong.nonce, wrong.proof) {
			t.Errorf("got a return for nonce %q with %q", wrong.nonce, wrong.proof)
		}
	}
}

func TestAForgottenNonceIsGone(t *testing.T) {
	k := key(t)
	x := permit.NewExecutor(public(k))
	nonce := x.Expect(scope)
	x.Forget(nonce)
	if _, err := x.Burn(sign(t, given(nonce), k), now); !errors.Is(err, permit.ErrNonce) {
		t.Errorf("got %v, want ErrNonce", err)
	}
}

// TestNumbersInArgumentsKeepTheirDigits: the hash tells apart what a double does
// not, and does not tell apart what is spelled in another way.
func TestNumbersInArgumentsKeepTheirDigits(t *testing.T) {
	hash := func(s string) string { return permit.ArgumentHash(jsontext.Value(s)) }
	if hash(`{"n":9007199254740993}`) == hash(`{"n":9007199254740992}`) {
		t.Error("two numbers have one hash")
	}
	if hash(`{"a":"\u0041","b":[1,2]}`) != hash("{ \"b\" : [1, 2], \"a\" : \"A\" }") {
		t.Error("one value has two hashes")
	}
	text := jsontext.Value(`{"b":1,"a":2}`)
	before := bytes.Clone(text)
	permit.ArgumentHash(text)
	if !bytes.Equal(text, before) {
		t.Errorf("got %s, want the arguments untouched", text)
	}
}
