package jetstream

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/docket-engine/docket/internal/atomicfile"
	"github.com/docket-engine/docket/jetstream/blocks"
)

// ManifestName is the file, beside the store, of the blocks that were found whole.
const ManifestName = "blocks.json"

// manifest says which blocks were read and found whole, and what their files were
// then: a file that is still the same is not read again. It is signed, so that nobody
// else can keep a block from being looked at. One that is missing, or not signed by
// a trusted key, costs reading all blocks, and nothing else.
type manifest struct {
	Blocks []checkedBlock `json:"blocks"`
	Sig    string         `json:"sig,omitempty"`
}

// checkedBlock is a block that has others behind it, so that it grows no more.
type checkedBlock struct {
	Path string `json:"path"` // from the root of the store, with slashes
	blocks.State
	SHA256 string `json:"sha256"`
	Last   uint64 `json:"last"`             // sequence of its last record
	Sealed bool   `json:"sealed,omitempty"` // it may not be written to
	Read   int64  `json:"read"`             // Unix ms: when it was read last
	// Damage says what was found when it was read last; "" for nothing.
	Damage string `json:"damage,omitempty"`
}

func (m manifest) payload() ([]byte, error) {
	m.Sig = ""
	text, err := json.Marshal(m)
	return append([]byte("docket blocks 1\n"), text...), err
}

// loadManifest gives the checked blocks by path.
func loadManifest(dir string, keys Keys, log *slog.Logger) map[string]checkedBlock {
	known := map[string]checkedBlock{}
	text, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return known
	}
	var m manifest
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	var payload []byte
	if err == nil {
		payload, err = m.payload()
	}
	if err == nil {
		err = keys.verify(payload, m.Sig)
	}
	if err != nil {
		log.Warn("the list of checked blocks cannot be used, all are read again", "error", err)
		return known
	}
	for _, b := range m.Blocks {
		known[b.Path] = b
	}
	return known
}

// saveManifest puts the checked blocks in place of those that were there.
func saveManifest(dir string, keys Keys, all []checkedBlock) error {
	m := manifest{Blocks: slices.SortedFunc(slices.Values(all), func(a, b checkedBlock) int { return cmp.Compare(a.Path, b.Path) })}
	payload, err := m.payload()
	if err == nil {
		m.Sig, err = keys.sign(payload)
	}
	var text []byte
	if err == nil {
		text, err = json.Marshal(m)
	}
	if err == nil {
		err = atomicfile.Replace(filepath.Join(dir, ManifestName), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("jetstream: write the list of checked blocks: %w", err)
	}
	return nil
}
