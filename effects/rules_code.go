package effects

// codeRules speak about repositories, builds and packages.
func codeRules() []Rule {
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
			ID: "hooks-skipped", Sentence: "The project's own checks are left out.", Decision: Review,
			Hit: sh("git commit --no-verify -m a"), Miss: sh("git commit -m --no-verify"),
		},
		{
			ID: "package-installed", Sentence: "Software is installed that the project does not name.", Decision: Review,
			Hit: sh("npm install left-pad"), Miss: sh("npm ci"),
		},
	}
}
