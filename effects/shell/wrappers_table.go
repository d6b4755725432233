package shell

// wrappers are the programs that start the command behind them, with their options.
// One that is not here is a program like any other: what stands behind it is its
// arguments.
var wrappers = map[string]wrap{
	"env":       {flags: "i0vu:C:S:", long: "ignore-environment null unset= chdir= split-string= debug block-signal=? default-signal=? ignore-signal=?", then: unwrapEnv},
	"nohup":     {},
	"setsid":    {flags: "cfw", long: "ctty fork wait"},
	"nice":      {flags: "n:0123456789", long: "adjustment="},
	"ionice":    {flags: "c:n:p:P:u:t", long: "class= classdata= ignore pid= pgid= uid="},
	"chrt":      {flags: "bfirodeRvaT:P:D:m", long: "batch fifo idle other rr deadline reset-on-fork verbose", skip: 1},
	"taskset":   {flags: "acp", long: "all-tasks cpu-list pid", skip: 1},
	"numactl":   {flags: "i:m:N:C:lp:", long: "interleave= membind= cpunodebind= physcpubind= localalloc preferred="},
	"timeout":   {flags: "k:s:fpv", long: "kill-after= signal= foreground preserve-status verbose", skip: 1},
	"gtimeout":  {flags: "k:s:fpv", long: "kill-after= signal= foreground preserve-status verbose", skip: 1},
	"stdbuf":    {flags: "i:o:e:", long: "input= output= error="},
	"time":      {flags: "pvo:f:aq", long: "portability verbose output= format= append quiet", then: unwrapTime},
	"command":   {flags: "pvV", then: unwrapCommand},
	"builtin":   {},
	"exec":      {flags: "cla:"},
	"-":         {},
	"noglob":    {},
	"nocorrect": {},
	"sudo": {
		flags:   "ABbEeHhiKklnPSsvVa:C:c:D:g:p:R:r:t:T:U:u:",
		long:    "askpass bell background close-from= chdir= preserve-env=? edit group= set-home help host= login reset-timestamp remove-timestamp list non-interactive preserve-groups prompt= chroot= role= stdin shell type= command-timeout= other-user= user= version validate",
		assigns: true, then: unwrapSudo,
	},
	"doas":             {flags: "nsLa:C:u:"},
	"su":               {flags: "c:flmps:g:G:u:Pw:", long: "command= fast login preserve-environment session-command= shell= group= supp-group= pty whitelist-environment=", then: unwrapSu},
	"runuser":          {flags: "c:flmps:g:G:u:Pw:", long: "command= fast login preserve-environment session-command= shell= group= supp-group= user= pty whitelist-environment=", then: unwrapSu},
	"pkexec":           {long: "user= disable-internal-agent keep-cwd"},
	"setpriv":          {flags: "d", long: "no-new-privs reuid= regid= clear-groups keep-groups init-groups groups= inh-caps= ambient-caps= bounding-set= securebits= pdeathsig= reset-env"},
	"capsh":            {raw: unwrapNothingKnown},
	"chroot":           {long: "groups= userspec= skip-chdir", skip: 1, then: unwrapChroot},
	"unshare":          {flags: "imnpuUCTfrcR:w:S:G:", long: "ipc=? mount=? net=? pid=? uts=? user=? cgroup=? time=? fork map-root-user map-current-user map-auto map-users= map-groups= mount-proc=? root= wd= setuid= setgid= kill-child=? keep-caps propagation= setgroups="},
	"nsenter":          {flags: "at:m::u::i::n::p::C::U::T::S:G:r::w::FZ", long: "all target= mount=? uts=? ipc=? net=? pid=? cgroup=? user=? time=? setuid= setgid= root=? wd=? no-fork preserve-credentials", then: unwrapElsewhere},
	"systemd-run":      {flags: "qrtPdSp:u:M:H:GE:", long: "unit= scope user system property= setenv= description= slice= uid= gid= nice= working-directory= same-dir pty pipe quiet wait collect on-active= on-boot= on-calendar= timer-property= no-block remain-after-exit shell machine= host=", then: unwrapSystemdRun},
	"dbus-run-session": {long: "config-file= dbus-daemon="},
	"xvfb-run":         {flags: "ae:f:hn:lp:s:w:", long: "auto-servernum error-file= auth-file= server-num= listen-tcp xauth-protocol= server-args= wait="},
	"fakeroot":         {flags: "l:f:i:s:ub:", long: "lib= faked= unknown-is-real"},
	"proot":            {raw: unwrapNothingKnown},
	"firejail":         {raw: unwrapNothingKnown},
	"bwrap":            {raw: unwrapNothingKnown},
	"flock":            {flags: "sxeunE:w:oFv", long: "shared exclusive unlock nonblock conflict-exit-code= timeout= wait= close no-fork verbose command=", then: unwrapFlock},
	"script":           {flags: "ac:efqt::O:I:B:T:m:o:E:", long: "append command= return flush force quiet timing=? log-out= log-in= log-io= log-timing= logging-format= output-limit= echo=", then: unwrapScript},
	"strace":           {flags: "cCdDfFhiknqrtTuvVwxyYzZbe:o:p:s:S:u:a:E:P:I:O:X:U:", long: "follow-forks output= trace= summary-only summary string-limit= attach= user= env= quiet=? decode-fds=?", then: unwrapTracer},
	"ltrace":           {flags: "cCfhiLrStTVo:e:s:u:n:p:a:A:D:F:l:x:", long: "output=", then: unwrapTracer},
	"perf":             {raw: unwrapPerf},
	"valgrind":         {raw: unwrapValgrind},
	"gdb":              {raw: unwrapNothingKnown},
	"watch":            {flags: "bcCdegtn:q:wxp", long: "beep color no-color differences=? errexit exec chgexit equexit= interval= precise no-title no-wrap", then: unwrapWatch},
	"caffeinate":       {flags: "dimsut:w:"},
	"chronic":          {flags: "ve"},
	"unbuffer":         {flags: "p"},
	"ts":               {raw: unwrapNothingKnown},
	"catchsegv":        {},
	"ccache":           {}, "sccache": {}, "distcc": {},
	"rlwrap":            {flags: "aAcDef:hHilmNorRsSvzWpP:C:q:t:b:", long: "always-readline"},
	"daemonize":         {flags: "ac:e:o:p:l:u:vE:", then: unwrapTracer},
	"start-stop-daemon": {raw: unwrapNothingKnown},
	"parallel":          {raw: unwrapParallel},
	"xargs":             {flags: "0prtxa:d:E:e::I:i::L:l::n:P:s:", long: "null interactive no-run-if-empty verbose exit open-tty arg-file= delimiter= eof=? replace=? max-lines=? max-args= max-procs= max-chars= process-slot-var= show-limits", then: unwrapXargs},
	"find":              {raw: unwrapFind}, "gfind": {raw: unwrapFind},
	"fd": {raw: unwrapFd}, "fdfind": {raw: unwrapFd},
	"entr":    {flags: "acdnprsxz", then: unwrapEntr},
	"busybox": {raw: unwrapApplet}, "toybox": {raw: unwrapApplet},
	"direnv": {raw: unwrapSub("exec", 1)},
	"mise":   {raw: unwrapDashes("exec", "x")}, "rtx": {raw: unwrapDashes("exec", "x")},
	"asdf":  {raw: unwrapSub("exec", 0)},
	"rbenv": {raw: unwrapSub("exec", 0)}, "pyenv": {raw: unwrapSub("exec", 0)}, "nodenv": {raw: unwrapSub("exec", 0)},
	"poetry": {raw: unwrapSub("run", 0)}, "pipenv": {raw: unwrapSub("run", 0)}, "pdm": {raw: unwrapSub("run", 0)}, "hatch": {raw: unwrapSub("run", 0)},
	"rye": {raw: unwrapSub("run", 0)}, "pixi": {raw: unwrapSub("run", 0)}, "conda": {raw: unwrapConda}, "mamba": {raw: unwrapConda}, "micromamba": {raw: unwrapConda},
	"uv":     {raw: unwrapUv},
	"bundle": {raw: unwrapSub("exec", 0)},
	"dotenv": {raw: unwrapDashes()}, "op": {raw: unwrapDashes("run")}, "doppler": {raw: unwrapDashes("run")}, "chamber": {raw: unwrapDashes("exec")}, "aws-vault": {raw: unwrapDashes("exec")},
	"nix-shell": {raw: unwrapNixShell}, "nix": {raw: unwrapNix},
	"ssh":  {flags: "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:", then: unwrapSSH},
	"mosh": {raw: unwrapNothingKnown}, "autossh": {raw: unwrapNothingKnown}, "sshpass": {flags: "ep:f:d:P:v"},
	"docker": {raw: unwrapContainer}, "podman": {raw: unwrapContainer}, "nerdctl": {raw: unwrapContainer}, "docker-compose": {raw: unwrapContainer},
	"kubectl": {raw: unwrapKubectl}, "oc": {raw: unwrapKubectl},
	"tmux": {raw: unwrapTmux}, "screen": {flags: "aAc:dDe:fh:ilLmnOp:qrRs:S:t:T:UvxXw", then: unwrapScreen},
	"bash": {raw: unwrapShell}, "sh": {raw: unwrapShell}, "dash": {raw: unwrapShell}, "zsh": {raw: unwrapShell}, "ksh": {raw: unwrapShell}, "mksh": {raw: unwrapShell}, "ash": {raw: unwrapShell}, "rbash": {raw: unwrapShell}, "yash": {raw: unwrapShell},
	"at": {flags: "VlbdvcmMrq:f:t:u:", then: unwrapAt}, "batch": {then: unwrapAt},
}

// joined is the text that several words make with blanks between them, as ssh and
// watch hand their arguments to a shell.
func joined(words []Word) Word {
	if len(words) == 1 {
		return words[0]
	}
	var out Word
	for i, w := range words {
		if i > 0 {
			out.Parts = appendPart(out.Parts, Part{Text: " "})
		} else {
			out.Span = w.Span
		}
		for _, p := range w.Parts {
			out.Parts = appendPart(out.Parts, p)
		}
		out.Many = out.Many || w.Many
		out.Span.End = w.Span.End
	}
	return out
}

// appendPart adds a part, in one with a literal before it.
func appendPart(parts []Part, p Part) []Part {
	if n := len(parts); n > 0 && p.Kind == Literal && parts[n-1].Kind == Literal {
		parts[n-1].Text += p.Text
		return parts
	}
	return append(parts, p)
}
