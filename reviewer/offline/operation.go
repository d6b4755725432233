package offline

import (
	"path"
	"slices"
	"strings"

	"github.com/docket-engine/docket/effects"
)

// operator is a program that is told an operation and what it is done to: "git push
// origin main". All of these words have to stand in the instruction, but for the
// program's name.
type operator struct {
	verbs string // its operations, each with the class behind a colon
	kinds string // words that say what kind of thing comes next: also to be named
	nouns string // words by which an instruction may call what the operation is done to
}

const (
	ofPackages = "package packages module library dependency 包 软件包 依赖"
	managed    = "install:installing add:installing i:installing uninstall:removing remove:removing"
	runsThings = "stop:stopping start:starting restart:restarting kill:killing rm:removing"
)

// operators are the programs whose operations have the same names in what people say.
func operators(program string) (operator, bool) {
	switch program {
	case "git":
		return operator{verbs: "push:pushing rebase:rebasing", nouns: "branch remote commits tag 分支 远程 标签"}, true
	case "npm", "pnpm", "yarn", "pip", "pip3", "brew", "cargo", "gem", "go", "composer", "bun":
		return operator{verbs: managed + " publish:publishing get:installing push:pushing", nouns: ofPackages}, true
	case "docker", "podman":
		return operator{verbs: runsThings + " push:pushing", kinds: "container image volume network", nouns: "container image 容器 镜像"}, true
	case "systemctl":
		return operator{verbs: "stop:stopping start:starting restart:restarting", nouns: "service unit 服务"}, true
	case "pm2", "supervisorctl":
		return operator{verbs: "stop:stopping start:starting restart:restarting delete:removing", nouns: "process service 进程 服务"}, true
	case "kubectl", "oc":
		return operator{verbs: "delete:removing restart:restarting", kinds: "rollout"}, true
	case "helm":
		return operator{verbs: "install:installing uninstall:removing", nouns: "release chart"}, true
	case "redis-cli":
		return operator{verbs: "del:removing", nouns: "key 键"}, true
	case "gh", "glab":
		return operator{verbs: "merge:merging close:closing delete:removing", kinds: "pr mr issue release"}, true
	case "aws":
		return operator{verbs: "rm:removing cp:sending", kinds: "s3", nouns: "object file 文件"}, true
	case "gsutil":
		return operator{verbs: "rm:removing cp:sending", nouns: "object file 文件"}, true
	case "twine":
		return operator{verbs: "upload:sending", nouns: ofPackages}, true
	default:
		return operator{}, false
	}
}

// plainOperators are programs that are an operation themselves.
func plainOperators(program string) (verb class, nouns string, ok bool) {
	switch program {
	case "kill", "killall", "pkill":
		return killing, "process processes 进程", true
	case "dropdb":
		return removing, "database 数据库", true
	case "scp":
		return sending, "file 文件", true
	default:
		return 0, "", false
	}
}

// operation names what a command tells a service, a repository or a process, by the
// verb that people have for it and every word that it is done to. Options are not
// spoken of, so that a command with one is only named as it stands.
func (r request) operation(d deed) (naming, bool) {
	for _, f := range d.Findings {
		if f.Decision == effects.Review && (!listed(byOperation, f.Rule) || f.Span.Source != "") {
			return naming{}, false
		}
	}
	words, ok := d.command.alone()
	if !ok || len(words) < 2 || !r.onlyCommand(d.command.argument) {
		return naming{}, false
	}
	program := path.Base(words[0])
	n := naming{against: classesOf(d), names: d.command.significant()}
	rest := words[1:]
	if c, nouns, plain := plainOperators(program); plain {
		n.class, n.nouns = c, nouns
	} else if said, stated := statement(program, rest, &n); stated {
		rest = said
	} else if rest, ok = operated(program, rest, &n); !ok {
		return naming{}, false
	}
	if len(rest) == 0 || len(rest)+len(n.also) > maxAlso {
		return naming{}, false
	}
	for _, w := range rest {
		if strings.HasPrefix(w, "-") || strings.HasPrefix(w, "+") || strings.HasPrefix(w, ":") || n.class == pushing && strings.ContainsAny(w, ":+") {
			return naming{}, false
		}
	}
	if n.class == pushing && program == "git" && len(rest) != 2 {
		return naming{}, false // where to, and what
	}
	last := len(rest) - 1
	n.forms, n.also = []string{rest[last]}, append(n.also, rest[:last]...)
	n.names = append(n.names, rest...)
	n.nouns += " " + program
	return n, true
}

// push is a push of one branch to the remote that goes without saying: people do not say
// all words of the command. A branch that is not named has to be the current one.
func (r request) push(d deed) (naming, bool) {
	words, ok := d.command.alone()
	if !ok || len(words) < 2 || words[0] != "git" || words[1] != "push" || !r.onlyCommand(d.command.argument) {
		return naming{}, false
	}
	for _, f := range d.Findings {
		if f.Decision == effects.Review && f.Rule != "vcs-remote" {
			return naming{}, false
		}
	}
	rest := slices.DeleteFunc(slices.Clone(words[2:]), func(w string) bool { return w == "-u" || w == "--set-upstream" })
	if len(rest) > 2 || len(rest) > 0 && rest[0] != "origin" || slices.ContainsFunc(rest, func(w string) bool { return strings.ContainsAny(w, ":+-*") && !plainBranch(w) }) {
		return naming{}, false
	}
	head := r.head()
	n := naming{class: pushing, loose: true, current: true, also: []string{"origin"}, against: classesOf(d), names: d.command.significant(), nouns: "branch remote commits"}
	if head != "" {
		n.forms = []string{head}
	}
	if len(rest) == 2 && rest[1] != "HEAD" {
		n.forms, n.current = []string{rest[1]}, rest[1] == head
	}
	return n, true
}

// plainBranch reports whether a word may be the name of a branch.
func plainBranch(w string) bool {
	return !strings.HasPrefix(w, "-") && !strings.ContainsAny(w, ":+*")
}

// head is the current branch, "" where nobody sees it.
func (r request) head() string {
	if r.facts.Files == nil {
		return ""
	}
	text, err := r.facts.Files.ReadFile(path.Join(r.cwd, ".git", "HEAD"), 1<<10)
	if err != nil {
		return ""
	}
	branch, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: refs/heads/")
	if !ok {
		return ""
	}
	return branch
}

// statement takes what a client of a database is given as its one statement, if that
// drops or empties a table: the words are the database's name, if there is one, "table"
// and the table's.
func statement(program string, words []string, n *naming) ([]string, bool) {
	last := len(words) - 1
	database := words[:max(last-1, 0)]
	switch {
	case program == "sqlite3" && last == 1:
		database = words[:1]
	case program == "psql" && last >= 1 && last <= 2 && words[last-1] == "-c":
	case (program == "mysql" || program == "mariadb") && last >= 1 && last <= 2 && words[last-1] == "-e":
	default:
		return nil, false
	}
	said := strings.Fields(strings.TrimSuffix(strings.TrimSpace(words[last]), ";"))
	if len(said) != 3 || !strings.EqualFold(said[1], "table") || strings.ContainsAny(said[2], `,;"'()*`) {
		return nil, false
	}
	switch {
	case strings.EqualFold(said[0], "drop"):
		n.class = removing
	case strings.EqualFold(said[0], "truncate"):
		n.class = truncating
	default:
		return nil, false
	}
	if len(database) > 0 {
		n.nouns = "in of database"
	}
	return append(slices.Clone(database), "table", said[2]), true
}

// operated takes the words of a program's operation away.
func operated(program string, words []string, n *naming) ([]string, bool) {
	o, ok := operators(program)
	if !ok {
		return nil, false
	}
	n.nouns = o.nouns
	for len(words) > 0 && listed(o.kinds, words[0]) {
		if words[0] != "rollout" { // is not spoken of
			n.also = append(n.also, words[0])
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return nil, false
	}
	for verb := range strings.FieldsSeq(o.verbs) {
		name, as, _ := strings.Cut(verb, ":")
		if c, known := operations[as]; known && name == words[0] {
			n.class = c
			return words[1:], true
		}
	}
	return nil, false
}
