package effects

// codeRules speak about repositories, builds and packages.
func codeRules() []Rule {
	return append(vcsRules(), buildRules()...)
}

func vcsRules() []Rule {
	return []Rule{
		{
			ID: "vcs-local", Sentence: "The local repository is changed in a way that can be undone.", Decision: Allow,
			Hit: sh("git add main.go"), Miss: sh("git push"),
		},
		{
			ID: "vcs-remote", Sentence: "A remote repository is changed.", Decision: Review,
			Hit: sh("git push"), Miss: sh("git fetch"),
		},
		{
			ID: "history-rewritten", Sentence: "Commits or other people's references would be lost or replaced.", Decision: Review,
			Hit: sh("git push --force"), Miss: sh("git log"),
		},
		{
			ID: "changes-discarded", Sentence: "Changes would be lost that no commit or branch holds any more.", Decision: Review,
			Hit: sh("git reset --hard"), Miss: sh("git reset --soft HEAD~1"),
		},
		{
			ID: "remote-moved", Sentence: "Where pushes go and fetches come from would be another place than before.", Decision: Review,
			Hit: sh("git remote set-url origin https://example.com/other.git"), Miss: sh("git remote get-url origin"),
		},
		{
			ID: "hooks-skipped", Sentence: "The project's own checks are left out.", Decision: Review,
			Hit: sh("git commit --no-verify -m a"), Miss: sh("git commit -m --no-verify"),
		},
	}
}

func buildRules() []Rule {
	return []Rule{
		{
			ID: "package-installed", Sentence: "Software is installed that the project does not name.", Decision: Review,
			Hit: sh("npm install left-pad"), Miss: sh("npm ci"),
		},
		{
			ID: "project-build", Sentence: "The project is built, tested or checked by its own tools.", Decision: Allow,
			Hit: sh("go test ./..."), Miss: sh("go version"),
		},
		{
			ID: "project-packages", Sentence: "Packages are brought that the project itself names.", Decision: Allow,
			Hit: sh("npm ci"), Miss: sh("npm install left-pad"),
		},
		{
			ID: "project-run", Sentence: "A program of the project is built and run, whose source is not looked into.", Decision: Review,
			Hit: sh("go run ./cmd/tool"), Miss: sh("go build ./cmd/tool"),
		},
		{
			ID: "build-elsewhere", Sentence: "Something that is not the project is built or tested, by what lies there.", Decision: Review,
			Hit: sh("make -C /tmp/other test"), Miss: sh("make -C lib test"),
		},
		{
			ID: "package-run", Sentence: "A package is fetched and run.", Decision: Review,
			Hit: sh("npx cowsay moo"), Miss: sh("npx --no-install tsc --noEmit"),
		},
		{
			ID: "package-published", Sentence: "A package is published, or who may publish it is changed.", Decision: Review,
			Hit: sh("npm publish"), Miss: sh("npm pack"),
		},
		{
			ID: "script-not-understood", Sentence: "A script would run of which not all is understood.", Decision: Review,
			Hit: sh("cat > x.sh <<'E'\nfrobnicate\nE\nbash x.sh"), Miss: sh("cat > x.sh <<'E'\nls\nE\nbash x.sh"),
		},
		{
			ID: "code-unknown", Sentence: "A text in another language is run, and not all of it is known to be harmless.", Decision: Review,
			Hit: sh("python3 -c 'import frobnicate'"), Miss: sh("python3 --version"),
		},
	}
}
