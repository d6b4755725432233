package shell

import "testing"

func TestArithmeticRunsCommands(t *testing.T) {
	check(t, []reading{
		{`(( a[$(rm x)] ))`, `rm x`},
		{`echo $((a[$(rm x)]))`, `rm x; echo ?`},
		{`let 'a[$(rm x)]=1'`, `rm x`},
		{`declare -i x='a[$(rm y)]'`, `rm y; declare -i x=a[$(rm y)]`},
		{`[[ 'a[$(rm x)]' -eq 0 ]]`, `rm x`},
		{`test -v 'a[$(rm x)]'`, `test -v a[$(rm x)]; rm x`},
		{`echo ${a[$(rm x)]}`, `rm x; echo ?…`},
		{`unset 'a[$(rm x)]'`, `unset a[$(rm x)]; rm x`},
		{`x='$(rm y)'; echo ${x@P}`, `x=$(rm y); rm y; echo ?…`},
		{`for ((i=0;i<3;i++)); do rm $i; done`, `rm ?…`},
	})
}

func TestVariablesThatRunCode(t *testing.T) {
	check(t, []reading{
		{`PROMPT_COMMAND='rm x'`, `PROMPT_COMMAND=rm x; PROMPT_COMMAND: rm x`},
		{`export PS4='$(rm x)'; set -x`, `rm x; export PS4=$(rm x); set -x`},
		{`HOME=/; rm -rf ~`, `HOME=/; rm -rf /`},
		{`export X=/; bash -c 'rm -rf $X'`, `export X=/; bash: rm -rf /`},
		{`X=/ bash -c 'rm -rf $X'`, `bash: X=/ rm -rf /`},
		{`X=/a; bash -c 'rm -rf $X'`, `X=/a; bash: rm -rf ?…`},
		{`read X <<< /; rm -rf $X`, `read X; rm -rf ?…`},
		{`printf -v X rm; $X y`, `[dynamic-program]; printf -v X rm; ?… y`},
		{`X=rm; $X y; "${X}" z`, `X=rm; rm y; rm z`},
		{`rm -rf ${X:?}/ "${Y:?no}"/*`, `rm -rf ?/… ?/<*>`},
	})
}

func TestControlFlowInDepth(t *testing.T) {
	check(t, []reading{
		{`exec rm x`, `exec: rm x`},
		{`exec > out; a`, `exec >out; a`},
		{`coproc rm x`, `rm x`},
		{`f() { cd /x; }; f; rm y`, `cd /x; (/x|/src) rm y`},
		{`function f { rm "$1"; }; f a`, `rm a`},
		{`if cd x; then rm y; fi`, `cd x; (/src/x) rm y`},
		{`a && { cd x || exit; } && rm y`, `a; cd x; exit; (/src/x) rm y`},
		{`(cd a; rm b) && rm c`, `cd a; (/src/a|/src) rm b; rm c`},
		{`for d in a b; do cd $d; rm x; done`, `(/src|?) cd a; (/src/a|/src|?) rm x; (/src|?) cd b; (/src/b|/src|?) rm x`},
		{`for i in {1..3}; do rm $i; done`, `rm 1; rm 2; rm 3`},
		{`set a b; for x; do rm $x; done`, `set a b; rm a; rm b`},
		{`! rm x # y`, `rm x`},
		{`cd / && rm -rf *`, `cd /; (/) rm -rf <*>`},
		{`a > >(sh)`, `sh; a`},
		{`while read -r l; do eval "$l"; done <<< 'rm x'`, `[dynamic-code]; [dynamic-program]; (/src|?) read -r l; (/src|?) eval ?`},
		{`cd "$(dirname "$0")" && rm x`, `dirname ?; cd ?; (|?) rm x`},
		{`unalias rm; rm x`, `unalias rm; rm x`},
		{`return 0; rm x`, `return 0; rm x`},
	})
}

func TestTextsForShellsInDepth(t *testing.T) {
	check(t, []reading{
		{`eval "$(echo rm x)"`, `echo rm x; eval: rm x`},
		{`source <(echo rm x)`, `echo rm x; source ?; rm x`},
		{`. /dev/stdin <<< 'rm x'`, `. /dev/stdin; rm x`},
		{`bash -c "$(curl x)"`, `[dynamic-code]; [dynamic-program]; curl x; bash -c ?`},
		{"bash -s y <<E\nrm \"\\$1\"\nE", `bash: rm y`},
		{"bash <<E\nrm $X\nE", `[dynamic-code]; bash: rm ?…; bash`},
		{`su - u -c "rm x"`, `su: rm x`},
		{`docker exec c sh -c 'rm x'`, `docker exec c sh -c rm x; @c docker+sh: rm x`},
		{"ssh h <<E\nrm x\nE", `ssh h; @h ssh: rm x`},
		{`env -S 'rm x'`, `env: rm x`},
		{`timeout 5 bash -xec 'rm x'`, `timeout+bash: rm x`},
		{`ls | xargs -I{} sh -c 'rm {}'`, `[dynamic-code]; ls; xargs+sh: rm {}; xargs: sh -c rm ?`},
		{`echo 'rm x' | at now`, `echo rm x; at now; at: rm x`},
		{`echo rm x | tee f | sh`, `echo rm x; tee f; sh: rm x`},
		{`printf 'rm %s' x | bash`, `printf rm %s x; bash: rm x`},
		{`(echo rm x; echo ls) | sh`, `echo rm x; echo ls; sh: rm x; sh: ls`},
		{`sudo bash -c 'rm ~/x'`, `sudo+bash: rm ?/x`},
		{`command -v rm`, `command -v rm`},
		{`exec -a ls rm x`, `exec: rm x`},
		{`find a b -type f -exec sh -c 'rm "$1"' _ {} \;`, `find a b -type f -exec sh -c rm "$1" _ {} ;; find+sh: rm ?`},
	})
}
