package events

import "strconv"

// ArtifactObserved lists the files that a finished call made, changed or deleted.
type ArtifactObserved struct {
	CallID string `json:"callId"`
	// Source is who looked at the files, by what the engine knows of who reports it.
	Source    string     `json:"source,omitzero"`
	Artifacts []Artifact `json:"artifacts"`
	Unknown   Unknown    `json:",embed"`
}

// The sources of what is reported of files. What a caller says may raise a risk, and
// never lowers one (design section 8).
const (
	SourceEngine   = "engine"   // an executor in the engine's own process
	SourceExecutor = "executor" // one whose credential says that it confines bodies
	SourceCaller   = "caller"   // anybody else; "" as well
)

// Artifact is one file by its identity and its content, so that neither another file
// at the same path is taken for it, nor the same one with other bytes.
type Artifact struct {
	Path      string `json:"path"`
	Device    uint64 `json:"device"`
	Inode     uint64 `json:"inode"`
	BirthTime int64  `json:"birthTime"` // Unix ns, 0 where the file system has none
	Kind      string `json:"kind"`      // file, directory, symlink
	// Change is what became of it: created where nothing was, changed or put in another
	// file's place, deleted; "" is created.
	Change string `json:"change,omitzero"`
	// SHA256 is of the bytes that the call left in a file, hex; "" where that is not known.
	SHA256     string `json:"sha256,omitzero"`
	Size       int64  `json:"size,omitzero"`
	ChangeTime int64  `json:"changeTime,omitzero"` // Unix ns
	ObservedAt int64  `json:"observedAt,omitzero"` // Unix ns, by the clock of who observed
	// Before is what stood there and was changed, as far as that is known.
	Before  *Replaced `json:"before,omitzero"`
	Unknown Unknown   `json:",embed"`
}

// Replaced is the file that a changed one was before.
type Replaced struct {
	Device    uint64  `json:"device"`
	Inode     uint64  `json:"inode"`
	BirthTime int64   `json:"birthTime"`
	SHA256    string  `json:"sha256"`
	Unknown   Unknown `json:",embed"`
}

// The kinds of artifacts, and what became of them.
const (
	ArtifactFile   = "file"
	ArtifactFolder = "directory"
	ArtifactLink   = "symlink"

	ArtifactCreated = "created"
	ArtifactChanged = "changed"
	ArtifactDeleted = "deleted"
)

// Type is "artifact/observed".
func (ArtifactObserved) Type() Type { return TypeArtifactObserved }

func (e ArtifactObserved) check() error {
	if err := firstError(nonEmpty("callId", e.CallID), array("artifacts", e.Artifacts)); err != nil {
		return err
	}
	if e.Source != "" {
		if err := oneOf("source", e.Source, SourceEngine, SourceExecutor, SourceCaller); err != nil {
			return err
		}
	}
	for i, a := range e.Artifacts {
		if err := a.check(); err != nil {
			return within("artifacts."+strconv.Itoa(i), err)
		}
	}
	return nil
}

func (a Artifact) check() error {
	if err := firstError(nonEmpty("path", a.Path), oneOf("kind", a.Kind, ArtifactFile, ArtifactFolder, ArtifactLink)); err != nil {
		return err
	}
	if a.Change != "" {
		if err := oneOf("change", a.Change, ArtifactCreated, ArtifactChanged, ArtifactDeleted); err != nil {
			return err
		}
	}
	if a.Size < 0 {
		return fieldf("size", "must not be negative")
	}
	if a.Before != nil && a.Change != ArtifactChanged {
		return fieldf("before", "must only be there where change is %s", ArtifactChanged)
	}
	return nil
}
