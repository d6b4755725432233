package jetstream

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"pgregory.net/rapid"
)

// TestASignatureIsTheStandardLibrarys: with every key, of every payload, byte for
// byte, so that who signs faster is nothing that a verifier could see.
func TestASignatureIsTheStandardLibrarys(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		key := ed25519.NewKeyFromSeed(rapid.SliceOfN(rapid.Byte(), ed25519.SeedSize, ed25519.SeedSize).Draw(rt, "seed"))
		payload := rapid.SliceOfN(rapid.Byte(), 0, 2048).Draw(rt, "payload")
		got := newSigner(key)(payload)
		if want := ed25519.Sign(key, payload); !bytes.Equal(got, want) {
			rt.Fatalf("got %x, want %x", got, want)
		}
	})
}

// TestAKeyWhosePartsDoNotFitSignsAsTheStandardLibraryDoes: the two halves of a
// private key are kept side by side, and a wrong pair must not be signed with in
// two ways.
func TestAKeyWhosePartsDoNotFitSignsAsTheStandardLibraryDoes(t *testing.T) {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	other := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{2}, ed25519.SeedSize))
	mixed := append(bytes.Clone(key[:ed25519.SeedSize]), other[ed25519.SeedSize:]...)
	if got, want := newSigner(mixed)([]byte("x")), ed25519.Sign(mixed, []byte("x")); !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

func BenchmarkSign(b *testing.B) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		b.Fatal(err)
	}
	payload := bytes.Repeat([]byte("header: value\n"), 20)
	b.Run("standard", func(b *testing.B) {
		for b.Loop() {
			ed25519.Sign(private, payload)
		}
	})
	sign := newSigner(private)
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			sign(payload)
		}
	})
}
