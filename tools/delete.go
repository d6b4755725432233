package tools

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/internal/identity"
)

func deleteTool() Tool {
	params := []param{
		{name: "path", typ: typeText, required: true, description: "What to delete. A relative path starts at the session's folder."},
	}
	return Tool{
		Name: "delete",
		Description: "Deletes one file, one symbolic link (never what it points to), or one empty folder. " +
			"A folder that is not empty is refused: delete what is in it first, each by name.",
		Parameters: schema(params...),
		Run: func(ctx context.Context, env Env, args jsontext.Value) Result {
			a, err := parse("delete", args, params)
			var path string
			if err == nil {
				path, err = env.place(a.texts["path"])
			}
			switch {
			case err != nil:
				return failure(CodeInvalidArguments, err.Error())
			case path == filepath.Clean(env.CWD):
				return failure(CodeInvalidArguments, "path is the session's folder, which is not deleted")
			case ctx.Err() != nil:
				return failure(CodeAborted, "cancelled before anything was deleted")
			}
			return deletePath(path)
		},
	}
}

// deletePath deletes what has one name. The system itself refuses a folder that
// is not empty, so that nothing can slip in between.
func deletePath(path string) Result {
	found, err := os.Lstat(path)
	if err != nil {
		return systemFailure("look at the path", err)
	}
	what, remove, kind := "the file", removeFile, KindFile
	switch {
	case found.IsDir():
		what, remove, kind = "the empty folder", removeFolder, KindFolder
	case found.Mode()&fs.ModeSymlink != 0:
		what, kind = "the symbolic link", KindLink
	case !found.Mode().IsRegular():
		return regular(path, found)
	}
	seen, _ := identity.At(path) // the zero File where the platform tells none
	switch err := remove(path); {
	case err == nil:
		gone := Observed{Path: path, Kind: kind, File: seen, At: time.Now()}
		return Result{Text: fmt.Sprintf("deleted %s %s", what, path), Deleted: known(gone)}
	case found.IsDir() && !isEmpty(path):
		return failure(CodeNotEmpty, path+" is a folder that is not empty")
	default:
		return systemFailure("delete", err)
	}
}

// isEmpty says whether a folder is, as far as it can be read.
func isEmpty(path string) bool {
	folder, err := os.Open(path)
	if err != nil {
		return true
	}
	defer folder.Close()
	names, err := folder.Readdirnames(1)
	return err != nil || len(names) == 0
}
