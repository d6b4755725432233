package sealed_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/docket-engine/docket/internal/sealed"
)

func TestASealedCredentialOpensWithItsPassphraseAlone(t *testing.T) {
	text, pass := []byte("the credential"), []byte("correct horse")
	box, err := sealed.Seal(text, pass)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(box, text) || !sealed.Is(box) || sealed.Is(text) {
		t.Errorf("got %s", box)
	}
	if got, err := sealed.Open(box, pass); err != nil || !bytes.Equal(got, text) {
		t.Errorf("got %q, %v", got, err)
	}
	if again, err := sealed.Seal(text, pass); err != nil || bytes.Equal(again, box) {
		t.Errorf("got the same twice (%v)", err)
	}
	for name, wrong := range map[string][]byte{"another": []byte("correct house"), "none": nil} {
		if got, err := sealed.Open(box, wrong); !errors.Is(err, sealed.ErrPassphrase) || got != nil {
			t.Errorf("%s: got %q, %v, want ErrPassphrase", name, got, err)
		}
	}
	for name, bad := range map[string][]byte{
		"another salt":      bytes.Replace(box, []byte(`"salt":"`), []byte(`"salt":"AAAA`), 1),
		"an unknown member": bytes.Replace(box, []byte(`{`), []byte(`{"time":1,`), 1),
		"another format":    bytes.Replace(box, []byte(`credential-1`), []byte(`credential-2`), 1),
		"half":              box[:len(box)/2], "nothing": nil, "too much": bytes.Repeat(box, 1000),
	} {
		if got, err := sealed.Open(bad, pass); err == nil || got != nil {
			t.Errorf("%s: got %q, %v, want an error", name, got, err)
		}
	}
	if _, err := sealed.Seal(text, []byte("short")); err == nil {
		t.Error("got no error for a short passphrase")
	}
	if _, err := sealed.Seal(nil, pass); err == nil {
		t.Error("got no error for nothing")
	}
}

func FuzzASealedCredentialIsToldByItsForm(f *testing.F) {
	f.Add([]byte(`{"format":"docket-sealed-credential-1","salt":"AAAAAAAAAAAAAAAAAAAAAA==","nonce":"","box":""}`))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if sealed.Is(text) && len(text) > 64<<10 {
			t.Errorf("%d bytes pass for a sealed credential", len(text))
		}
	})
}
