package offline

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/docket-engine/docket/effects"
	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/internal/identity"
	"github.com/docket-engine/docket/reviewer"
)

const made = `{"path":"a.txt","content":"x"}`

// TestOnlyAFileThatThisSessionMadeIsDeletedUnasked: what the log proves to be made by
// the session, and to be still what it left. No text and no call's name proves it.
func TestOnlyAFileThatThisSessionMadeIsDeletedUnasked(t *testing.T) {
	const a = "/workspace/demo/a.txt"
	written := func() *scene { return newScene().called("write", made) }
	for name, tt := range map[string]struct {
		scene *scene
		want  string
	}{
		"made":                                  {written().made(a, true), allow},
		"made, and read":                        {written().called("read", `{"path":"/workspace/demo/a.txt"}`).made(a, true), allow},
		"made, asked for":                       {newScene().human("Create a.txt, then remove it.").called("write", made).made(a, true), allow},
		"要求创建":                                  {newScene().human("创建 a.txt，然后清理。").called("write", made).made(a, true), allow},
		"made, behind a checkpoint":             {newScene().checkpoint("we wrote files").made(a, true), allow},
		"made, and a person has changed it":     {written().made(a, false), deny},
		"made, and a person wants it":           {written().human("Do not delete a.txt.").made(a, true), deny},
		"another one was made":                  {written().made("/workspace/demo/b.txt", true), deny},
		"one of that name was made":             {written().made("/workspace/demo/b/a.txt", true), deny},
		"nothing was made, as far as is known":  {written().tells(), deny},
		"made, where no file is seen":           {unseen(written().made(a, true)), deny},
		"written, as the history has it":        {written(), deny},
		"written, it says so":                   {written().human("a.txt was created in this session."), deny},
		"never written":                         {newScene(), deny},
		"read before":                           {newScene().called("read", `{"path":"a.txt"}`).called("write", made), deny},
		"edited before":                         {newScene().called("edit", `{"path":"a.txt","oldText":"a","newText":"b"}`).called("write", made), deny},
		"in a command before":                   {newScene().called("shell", `{"command":"ls a.txt"}`).called("write", made), deny},
		"spoken of before":                      {newScene().human("Inspect a.txt.").called("write", made), deny},
		"in a fact before":                      {newScene().fact("a.txt changed").called("write", made), deny},
		"in the project's instructions":         {newScene().constraint("a.txt holds the plan").called("write", made), deny},
		"behind a checkpoint":                   {newScene().checkpoint("we wrote files").called("write", made), deny},
		"before a checkpoint":                   {written().checkpoint("we wrote files"), deny},
		"a write that was refused":              {written().fact("The write of a.txt was denied."), deny},
		"a write over something":                {written().fact("a.txt already exists."), deny},
		"moved over":                            {written().called("shell", `{"command":"mv plan.md a.txt"}`), deny},
		"restored":                              {written().called("shell", `{"command":"git checkout a.txt"}`), deny},
		"in an unknown tool":                    {written().called("copy", `{"to":"a.txt"}`), deny},
		"a tool with write's name":              {newScene().called("write", `{"path":"a.txt","text":"x"}`), deny},
		"another file of that name":             {newScene().called("write", `{"path":"b/a.txt","content":"x"}`), deny},
		"arguments that are no JSON":            {newScene().called("write", `{"path":"a.txt","content"`), deny},
		"arguments with a member that is twice": {newScene().called("write", `{"path":"b.txt","path":"a.txt","content":""}`), deny},
	} {
		t.Run(name, func(t *testing.T) {
			wantDecision(t, tt.scene.asks("delete", `{"path":"a.txt"}`), tt.want)
			wantDecision(t, tt.scene.shell("rm -f ./a.txt"), tt.want)
			wantDecision(t, tt.scene.shell("rm -rf a.txt"), deny)
		})
	}
}

func unseen(s *scene) *scene {
	s.beside.files = nil
	return s
}

// TestWhatTheSessionMadeIsProvenOnRealFiles, and not for what is a folder or a link by
// now.
func TestWhatTheSessionMadeIsProvenOnRealFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux, where files are told apart")
	}
	dir := realFolder(t)
	c := known
	c.Files = func(workspace string) effects.FileSystem { return effects.OSFiles(workspace) }
	c.Identity = identity.Here{}
	for name, tt := range map[string]struct {
		change func(path string) error
		want   string
	}{
		"as it was left": {func(string) error { return nil }, allow},
		"edited":         {func(path string) error { return os.WriteFile(path, []byte("y"), 0o600) }, deny},
		"a folder":       {func(path string) error { _ = os.Remove(path); return os.Mkdir(path, 0o700) }, deny},
		"a link":         {func(path string) error { _ = os.Rename(path, path+".2"); return os.Symlink(path+".2", path) }, deny},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, dir, "a.txt", "x")
			path := filepath.Join(dir, "a.txt")
			f, err := identity.At(path)
			if err != nil {
				t.Fatal(err)
			}
			sum, err := identity.Hash(path, f)
			if err != nil {
				t.Fatal(err)
			}
			left := events.Artifact{Path: path, Device: f.Device, Inode: f.Inode, BirthTime: f.BirthTime, Kind: "file", SHA256: sum, Size: f.Size}
			if err := tt.change(path); err != nil {
				t.Fatal(err)
			}
			s := newScene().asks("delete", `{"path":"a.txt"}`)
			s.cwd = dir
			r, err := parseRequest(s.prompt(t))
			if err == nil {
				err = r.known(&reviewer.Record{Made: []events.Artifact{left}}, c.Identity)
			}
			if err != nil {
				t.Fatal(err)
			}
			r.facts = c.facts(r.cwd)
			if got := judge(r); got.decision != tt.want {
				t.Errorf("got %v, want %s", got, tt.want)
			}
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestARecordOfAnotherHistoryIsRefused: then nothing is answered.
func TestARecordOfAnotherHistoryIsRefused(t *testing.T) {
	prompt := reviewer.Prompt{Route: Route(), User: newScene().human("Hello.").shell("ls").prompt(t), Record: &reviewer.Record{}}
	for chunk, err := range New(known).Stream(t.Context(), prompt) {
		if end, ok := chunk.(reviewer.Finish); err != nil || !ok || end.Code != codePrompt {
			t.Errorf("got %+v, %v, want a failure", chunk, err)
		}
	}
}
