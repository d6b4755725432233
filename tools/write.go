package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"
)

func writeTool() Tool {
	params := []param{
		{name: "path", typ: typeText, required: true, description: "The file. A relative path starts at the session's folder."},
		{name: "content", typ: typeText, required: true, description: "The whole text of the file."},
	}
	return Tool{
		Name: "write",
		Description: "Writes a text file: makes a new one, and the folders that are missing on the way to it, or replaces " +
			"what an existing one holds. The result says which. The file changes as a whole or not at all, and keeps its mode. " +
			"Folders and symbolic links are refused.",
		Parameters: schema(params...),
		Run: func(ctx context.Context, env Env, args jsontext.Value) Result {
			a, err := parse("write", args, params)
			var path string
			if err == nil {
				path, err = env.place(a.texts["path"])
			}
			switch {
			case err != nil:
				return failure(CodeInvalidArguments, err.Error())
			case ctx.Err() != nil:
				return failure(CodeAborted, "cancelled before anything was written")
			case len(a.texts["content"]) > contentLimit:
				return failure(CodeTooLarge, fmt.Sprintf("content has %d bytes, %d are the most", len(a.texts["content"]), contentLimit))
			}
			return writeFile(path, []byte(a.texts["content"]))
		},
	}
}

func writeFile(path string, content []byte) Result {
	found, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return createFile(path, content)
	case err != nil:
		return systemFailure("look at the file", err)
	}
	if failed := regular(path, found); failed.IsError {
		return failed
	}
	seen, err := replacement{path: path, content: content, before: found}.do()
	if err != nil {
		return replaceFailure(path, err)
	}
	return Result{Text: fmt.Sprintf("replaced %s, which had %d bytes and now has %d", path, found.Size(), len(content)), Changed: known(seen)}
}

func createFile(path string, content []byte) Result {
	folders, err := makeFolders(filepath.Dir(path))
	if err != nil {
		failed := systemFailure("make the folder", err)
		failed.Created = known(folders...)
		return failed
	}
	made, err := replacement{path: path, content: content}.do()
	if err != nil {
		failed := replaceFailure(path, err)
		failed.Created = known(folders...)
		return failed
	}
	return Result{Text: fmt.Sprintf("created %s with %d bytes", path, len(content)), Created: known(append(folders, made)...)}
}
