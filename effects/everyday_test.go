package effects_test

import (
	"testing"

	"github.com/docket-engine/docket/effects"
)

func TestReadingTheProjectIsAllowedInSilence(t *testing.T) {
	wantDecisions(t, effects.Allow, `
		ls -la
		ls *.md
		cat README.md docs/plan.md
		cat src/*.go
		head -n 50 src/main.go
		tail -100 build.log
		wc -l src/*.go
		sed -n 1,120p main.go
		sed -e 's/a/b/g' -e '/x/d' notes.txt
		sort -t, -k2 data.csv
		uniq -c data.txt
		cut -d: -f1 data.txt
		diff -u a.txt b.txt
		grep -rn retries src
		grep -rn --include='*.go' password .
		grep password src/login.go
		rg -n parse -g '*.ts'
		find . -name '*.go' -not -path './vendor/*'
		find src -type f -newer go.mod -maxdepth 3
		tree -L 2
		stat .env
		du -sh .
		ps aux
		date +%F
		echo $HOME
		printf '%s\n' a b
		jq '.items[] | .name' data.json
		jq -r --arg n x '.[$n]' data.json
		tar -tzf out.tgz
		unzip -l out.zip
		test -f ~/.bashrc
		less README.md
		man git
		base64 -d data.b64
		find . -newermt yesterday -print0
		command -v node
		kill -0 4711
		file bin/app`)
}

func TestWhatShowsSecretsIsReviewed(t *testing.T) {
	wantDecisions(t, effects.Review, `
		cat .env
		cat *
		cat .*
		head -5 config/*
		grep -rn password .
		grep -r '' .
		grep -rn AKIA .
		rg -i api_key
		printenv
		env
		export -p
		set
		printenv GITHUB_TOKEN
		echo $AWS_SECRET_ACCESS_KEY
		jq -n env
		jq -n '$ENV.TOKEN'
		git show HEAD:.env
		git grep password
		gh auth token
		history
		cp .env copy.txt
		diff ~/.ssh/config x
		less +F ~/.netrc`)
}

// TestOptionsThatRunACommandAreNeverAllowed: the many ways in which harmless programs
// start others.
func TestOptionsThatRunACommandAreNeverAllowed(t *testing.T) {
	for command := range map[string]bool{
		"sort --compress-program=./x a": true, "rg --pre ./x a": true, "rg --hostname-bin=./x a": true, "ag --pager ./x a": true,
		"tar -cf a.tar --checkpoint=1 --checkpoint-action=exec=./x a": true, "tar -I ./x -xf a.tar -C b": true, "tar --to-command=./x -xf a.tar": true, "tar -xf host:a.tar": true, "tar czf a.tgz *": true,
		"zip -T -TT ./x a.zip b": true, "split --filter=./x a": true, "sed -n 1e./x a": true, "sed s/a/b/e a": true, "sed 's/a/b/w .git/hooks/pre-commit' a": true, "sed -f x.sed a": true,
		"vim -c '!ls' a": true, "less '+!ls' a": true, "man -P ./x ls": true, "tree -R a": true, "patch -e a b": true, "install -s --strip-program=./x a b": true,
		"git -c core.pager=./x log": true, "git -c alias.st=!ls st": true, "git --exec-path=/tmp/x status": true, "git grep -O./x a": true, "git grep --open-files-in-pager=./x a": true, "git diff --ext-diff": true, "git fetch --upload-pack=./x origin": true,
		"git clone ext::./x": true, "git clone -c core.sshCommand=./x https://example.com/a": true, "git push --receive-pack=./x": true, "git rebase --exec ./x main": true, "git bisect run ./x": true, "git submodule foreach ./x": true, "git difftool -x ./x": true, "git merge -s ./x main": true, "git st": true, "git remote add x ext::./x": true, "git init --template=/tmp/x": true,
		"go test -exec ./x ./...": true, "go build -toolexec ./x ./...": true, "go vet -vettool=./x ./...": true, "go build -overlay x.json ./...": true, "go build -ldflags -extld=./x ./...": true, "go run x.example.com/a@latest": true,
		"cargo --config target.runner=./x test": true, "npm --script-shell=./x test": true, "node -r ./x.js a.js": true, "node --import /tmp/x.js a.js": true, "ruby -r./x -e 1": true, "perl -MX -e 1 -d": true, "php -d auto_prepend_file=x a.php": true, "make SHELL=./x": true, "make --eval 'all:;ls'": true, "make X='$(shell ls)'": true, "cmake -P x.cmake": true, "eslint --config /tmp/x.js src": true, "pytest -c /tmp/x.ini": true, "tsc-watch --onSuccess ./x": true, "npx cowsay": true, "uvx ruff": true, "pipx run x": true, "bunx x": true, "pnpm dlx x": true, "yarn dlx x": true, "npm exec x": true, "npm create vite": true, "awk 'BEGIN{system(\"ls -l ~/.ssh\")}'": true, "python3 -m http.server": true, "mapfile -C ./x a": true, "enable -f ./x.so y": true, "complete -C ./x a": true,
	} {
		if a := analyzed(t, command); a.Decision == effects.Allow {
			t.Errorf("%s is allowed: %v", command, a.Findings)
		}
	}
}

func TestChangesInTheProjectThatCanBeSeenAreAllowed(t *testing.T) {
	wantDecisions(t, effects.Allow, `
		mkdir -p src/lib
		touch src/lib/a.go
		cp a.go b.go
		cp -r src copy
		mv a.go src/b.go
		ln -s a.go c.go
		chmod +x scripts/run.sh
		chmod 644 a.go
		sed -i 's/a/b/' src/a.go
		sed -i 's/a/b/' src/*.go
		tee out.txt
		tar -czf out.tgz dist
		tar -xzf lib.tgz -C vendor
		unzip -o lib.zip -d vendor
		rmdir empty
		split -b 10M big.bin part
		dd if=/dev/zero of=zero.bin bs=1M count=1
		gzip -k notes.txt
		truncate -s 0 made.txt`)
}

func TestChangesElsewhereOrOfWhatExecutesAreNotAllowed(t *testing.T) {
	for _, command := range []string{
		"cp a.go ~/x", "cp x .git/hooks/pre-commit", "cp /tmp/Makefile .", "mv notes.txt /tmp/x", "mv ~/x .", "mv notes.txt /dev/null", "mv .git /tmp/git", "mv /workspace/demo /tmp/x",
		"ln -s ~/.ssh/id_rsa key", "ln -s /etc x", "tee -a ~/.bashrc", "tee .github/workflows/a.yml", "install -m 755 a /usr/local/bin/a", "install -d /etc/x", "dd if=a of=/dev/sda", "dd if=~/.ssh/id_rsa of=b",
		"chmod 777 a", "chmod -R 000 .", "chmod u+s a", "chmod o+w a", "chown x a", "touch /etc/x", "mkdir /opt2/x", "truncate -s 0 notes.txt", "cp /dev/null notes.txt", "sed -i s/a/b/ Makefile", "sed -i s/a/b/ *",
		"tar -xzf a.tgz", "tar -xPf a.tar -C b", "unzip a.zip", "patch -p1 -i x.diff", "sort -o /etc/x a", "shuf -o ~/x a", "uniq a /etc/x", "xxd -r a /etc/x", "tree -o /etc/x", "find . -fprint /etc/x", "find . -fprintf .git/hooks/post-commit %p", "csplit -f /etc/x a 1", "umask 000",
		"mkfs.ext4 /dev/sda1", "wipefs -a /dev/sda", "fdisk /dev/sda", "swapoff -a", "shred notes.txt", "find . -delete", "find / -delete", "find . -name '*.o' -delete", "unlink a", "rmdir /home", "rm -- a b", "git rm -r src", "kill -9 -1", "pkill -f node", "killall node",
	} {
		if a := analyzed(t, command); a.Decision == effects.Allow {
			t.Errorf("%s is allowed: %v", command, a.Findings)
		}
	}
}

func TestGitThatReadsOrCanBeUndoneIsAllowed(t *testing.T) {
	wantDecisions(t, effects.Allow, `
		git status -sb
		git --no-pager log --oneline -20 --graph
		git log -p -S needle -- src
		git diff HEAD~1 --stat -- src
		git diff main...HEAD --name-only
		git show --stat HEAD
		git blame -L 10,20 main.go
		git branch -avv
		git branch feature
		git branch -d merged
		git tag v1.2.3
		git tag -a v1 -m first
		git remote -v
		git stash push -m wip
		git stash list
		git add -A
		git commit -am 'fix: a -f --force --hard'
		git checkout main
		git checkout -b fix
		git switch -c fix
		git merge --no-ff feature
		git cherry-pick -x abc123
		git revert --no-edit HEAD
		git reset HEAD~1
		git restore --staged a.go
		git fetch --all --prune
		git pull --rebase origin main
		git clone --depth 1 https://example.com/a.git
		git ls-remote origin
		git config user.name dev
		git config --get remote.origin.url
		git submodule update --init --recursive
		git worktree list
		git -C src status
		git -c user.name=dev -c core.pager=cat log
		git rev-parse --show-toplevel
		git ls-files '*.go'
		git grep -n parse
		git rebase --abort
		git clean -nd
		git apply --check x.patch
		git format-patch -1 --stdout
		git archive -o out.tar HEAD
		git bisect start
		git reflog -5
		git describe --tags --always
		gh pr view 12 --json title,body
		gh pr list
		gh api repos/o/r/pulls
		gh api graphql -f query='query { viewer { login } }'
		svn status
		hg log -l 5`)
}

func TestGitThatLosesOrPublishesIsNotAllowed(t *testing.T) {
	for _, command := range []string{
		"git reset --hard", "git reset --hard origin/main", "git checkout -- a.go", "git checkout .", "git checkout -f main", "git checkout main.go", "git checkout HEAD~1 a.go", "git restore a.go", "git restore --staged --worktree a.go", "git clean -fdx", "git stash drop", "git stash clear", "git branch -D x", "git branch -d -f x", "git branch -M main", "git tag -d v1", "git tag -f v1", "git update-ref -d refs/heads/x", "git reflog expire --expire=now --all", "git gc --prune=now", "git prune", "git filter-branch --tree-filter x", "git filter-repo --path a", "git switch -f main", "git switch --discard-changes main", "git checkout-index -f -a", "git read-tree --reset -u HEAD", "git worktree remove --force ../x", "git submodule deinit -f .", "git notes remove HEAD",
		"git commit --amend", "git commit --no-verify -m a", "git commit -nm a", "git rebase main", "git rebase -i HEAD~3",
		"git push", "git push -f", "git push --force-with-lease", "git push origin +main", "git push origin :x", "git push --mirror", "git push --delete origin x", "git push --tags", "git push --no-verify",
		"git config core.hooksPath x", "git config --global alias.x '!ls'", "git config core.fsmonitor ./x", "git config --system user.name x", "git config filter.x.smudge ./x", "git config -e",
		"git diff --output=/etc/x", "git log --output=Makefile", "git -C ~/other commit -m a", "git --git-dir=/tmp/x/.git log", "git --work-tree=/ checkout -f", "git apply x.patch", "git am x.patch", "git mv a .git/hooks/x", "git credential fill", "git send-email x", "git daemon", "git archive --remote=x HEAD", "git maintenance start", "git fetch origin +x:y",
		"gh pr merge 1", "gh pr close 1", "gh repo delete o/r --yes", "gh api -X DELETE repos/o/r", "gh api repos/o/r/issues -f title=x", "gh api graphql -f query='mutation { x }'", "gh workflow run x", "gh secret set X", "gh alias set x '!ls'", "gh extension install o/r", "gh release create v1", "glab mr merge 1", "svn commit -m a", "svn revert -R .", "hg strip 1", "jj abandon",
	} {
		if a := analyzed(t, command); a.Decision == effects.Allow {
			t.Errorf("%s is allowed: %v", command, a.Findings)
		}
	}
}

// TestFilesThatAnotherCommandListsAreKnownByWhereItLooks: what find or git gives to
// xargs, or into a substitution, lies in the folders that they go through.
func TestFilesThatAnotherCommandListsAreKnownByWhereItLooks(t *testing.T) {
	wantDecisions(t, effects.Allow, `
		find src -type f -name '*.py' | xargs grep -l import
		find . -name '*.go' -print0 | xargs -0 cat
		git ls-files '*.go' | xargs wc -l
		git diff --name-only | grep '\.go$' | sort -u | xargs gofmt -l
		rg -l parse src | xargs wc -l
		wc -l $(git ls-files '*.go')
		diff <(sort a.txt) <(sort b.txt)
		source .venv/bin/activate && pytest -q`)
	for _, command := range []string{
		"find . | xargs cat", "find ~ -name '*.go' | xargs cat", "find / -type f | xargs grep x", "cat list | xargs cat", "find . -printf /etc/shadow | xargs cat", "find . -name '*.o' | xargs rm",
		"grep -rl a . | xargs sed -i s/a/b/", "ls .. | xargs cat", "wc -l $(cat list)", "cat $(find . -type f)", "cd /tmp; find . -name '*.go' | (cd ~; xargs cat)", "source /tmp/venv/bin/activate && pytest",
	} {
		if a := analyzed(t, command); a.Decision == effects.Allow {
			t.Errorf("%s is allowed: %v", command, a.Findings)
		}
	}
}

// TestAPatternThatIsWrittenMayBeWhatRunsLater, or what holds secrets: where it can be,
// somebody has to look.
func TestAPatternThatIsWrittenMayBeWhatRunsLater(t *testing.T) {
	for command, want := range map[string]effects.Decision{
		"echo x > Makefil?": effects.Review, "echo x > *": effects.Review, "cp a Make*": effects.Review, "mv a .git*": effects.Review, "cat < .e*": effects.Review,
		"sed -i s/a/b/ *.go": effects.Allow, "touch *.log": effects.Allow, "cat < *.md": effects.Allow,
	} {
		if a := analyzeCommand(command, facts()); a.Decision != want {
			t.Errorf("%s: got %s, want %s", command, a.Decision, want)
		}
	}
}

// TestALinkThatLeadsOutIsReviewed, since a path through it looks like the project's.
func TestALinkThatLeadsOutIsReviewed(t *testing.T) {
	for command, want := range map[string]effects.Decision{
		"ln -s /usr/local tools": effects.Review, "ln -s /etc/passwd x": effects.Review, "ln ../other/a b": effects.Review,
		`python3 -c "import os; os.symlink('/srv/data', 'data')"`: effects.Review,
		"ln -s src/a b": effects.Allow, "ln -s ../demo/src b": effects.Allow,
	} {
		if a := analyzeCommand(command, facts()); a.Decision != want {
			t.Errorf("%s: got %s by %v, want %s", command, a.Decision, a.Findings, want)
		}
	}
}
