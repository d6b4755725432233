// Command powercut is the two halves of the power cut test, which
// scripts/powercut.sh puts together: `powercut load DIR ACKED` appends to a
// running serve until it is killed, and writes down what was acknowledged;
// `powercut check DIR ACKED` opens what a cut left, and says what of it is gone.
package main

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go"

	"github.com/docket-engine/docket/jetstream"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: powercut load|check DIR ACKED")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintf(os.Stderr, "powercut: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, mode, dir, acked string) error {
	keys, err := loadKeys(dir)
	if err != nil {
		return err
	}
	switch mode {
	case "load":
		return load(ctx, dir, acked, keys)
	case "check":
		return check(ctx, dir, acked, keys)
	default:
		return fmt.Errorf("load or check, not %q", mode)
	}
}

// loadKeys reads the key that the serve has made.
func loadKeys(dir string) (jetstream.Keys, error) {
	text, err := os.ReadFile(filepath.Join(dir, "keys", "engine.key"))
	if err != nil {
		return jetstream.Keys{}, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return jetstream.Keys{}, errors.New("engine.key holds no PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return jetstream.Keys{}, err
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return jetstream.Keys{}, errors.New("engine.key is no Ed25519 key")
	}
	return jetstream.NewKeys(private)
}

// connect reaches the serve by its run.json.
func connect(dir string) (*nats.Conn, error) {
	text, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		return nil, err
	}
	var serve struct{ URL, User, Password string }
	if err := json.Unmarshal(text, &serve); err != nil {
		return nil, err
	}
	return nats.Connect(serve.URL, nats.UserInfo(serve.User, serve.Password))
}
