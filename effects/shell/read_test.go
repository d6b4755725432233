package shell

import "testing"

func TestWordsAreExpanded(t *testing.T) {
	check(t, []reading{
		{`git status`, `git status`},
		{`\git 'st'a"tus"`, `git status`},
		{`r''m -r"f" a\ b`, `rm -rf a b`},
		{`$'\x72m' $'a\tb'`, "rm a\tb"},
		{`rm ~/x ~root/y "~/z" ~other`, `rm /home/user/x /` + `root/y ~/z ?`},
		{`rm {a,b}/{1..3}.go`, `rm a/1.go a/2.go a/3.go b/1.go b/2.go b/3.go`},
		{`rm -rf src/*.go "*" x[ab]`, `rm -rf src/<*>.go * x<[ab]>`},
		{`rm */../x`, `rm <*>?`},
		{`rm $X "$X" "a$X"`, `rm ?… ? a?`},
		{`X=a; rm $X ${X}b "${X:-c}"`, `X=a; rm a ab a`},
		{`X="a b"; rm $X; rm "$X"`, `X=a b; rm a b; rm a b`},
		{`X='*'; rm $X "$X"`, `X=*; rm <*> *`},
		{`rm ${HOME}/x ${HOME%/*} ${HOME##*/} ${#HOME}`, `rm /home/user/x /home user 10`},
		{`unset X; rm ${X:-/} ${X:+b} "$X"`, `unset X; rm / ''`},
		{`cat$IFS/etc/passwd`, `cat /etc/passwd`},
		{`{cat,/etc/passwd}`, `cat /etc/passwd`},
		{`IFS=,; X=rm,-rf,/; $X`, `IFS=,; X=rm,-rf,/; rm -rf /`},
		{`a=(rm -rf "x y"); "${a[@]}" ${a[0]}`, `a=?; rm -rf x y rm`},
		{`rm $((1+2)) $((x))`, `rm 3 ?`},
		{`X=abc; rm ${X/b/d} ${X:1:1} ${X^^}`, `X=abc; rm adc b ABC`},
		{`dd of=~/x`, `dd of=/home/user/x`},
		{`X=/; X+=etc; rm $X`, `X=/; X=etc; rm /etc`},
	})
}

func TestControlFlow(t *testing.T) {
	check(t, []reading{
		{`a && b || c; d & e`, `a; b; c; d; e`},
		{`if a; then b; elif c; then d; else e; fi`, `a; b; c; d; e`},
		{`for f in a b; do rm $f; done`, `rm a; rm b`},
		{`for f in *.log; do rm "$f"; done`, `rm <*>.log`},
		{`for f in $(ls); do rm "$f"; done`, `ls; rm ?`},
		{`while read f; do rm "$f"; done < list`, ` <list; read f; rm ?`[1:]},
		{`case $x in a) b;; *) c;; esac`, `b; c`},
		{`f() { rm -rf "$1"; }; f /x`, `rm -rf /x`},
		{`f() { rm -rf "$@"; }; f /x y; f`, `rm -rf /x y; rm -rf`},
		{`f() { f | f & }; f`, `[too-complex]`},
		{`alias ll='rm -rf'; ll x`, `alias ll=rm -rf; rm -rf x; ll x`},
		{`if x; then D=/a; fi; rm $D`, `x; D=/a; rm ?…`},
		{`D=/a && rm $D`, `D=/a; rm /a`},
		{`[[ -f x ]] && rm x; (( x = 1 )); rm $x`, `rm x; rm ?…`},
		{`x='a[$(rm y)]'; (( x ))`, `x=a[$(rm y)]; rm y`},
		{`trap 'rm x' EXIT`, `trap rm x EXIT; (/src|?) trap: rm x`},
		{`time rm x`, `rm x`},
		{`time ! rm x`, `time: rm x`},
		{`set -- rm x; "$@"`, `set -- rm x; rm x`},
		{`rm x > out 2>&1 >> log &>all`, `rm x >out >>log >all`},
		{`{ a; b; } > out`, ` >out; a; b`[1:]},
	})
}

func TestFolders(t *testing.T) {
	check(t, []reading{
		{`cd x && rm y`, `cd x; (/src/x) rm y`},
		{`cd x; rm y`, `cd x; (/src/x|/src) rm y`},
		{`cd x || exit 1; rm y`, `cd x; exit 1; (/src/x) rm y`},
		{`set -e; cd x; rm y`, `set -e; cd x; (/src/x) rm y`},
		{`(cd x && a); b`, `cd x; (/src/x) a; b`},
		{`cd $X; rm y`, `cd ?…; (/src|?) rm y`},
		{`cd /tmp && pushd a && popd && b`, `cd /tmp; (/tmp) pushd a; (/tmp/a) popd; (/tmp) b`},
		{`cd; rm y`, `cd; (/home/user|/src) rm y`},
		{`X=$(pwd); rm $X/y`, `pwd; X=/src; rm /src/y`},
		{`env -C /x rm y`, `(/x) env: rm y`},
	})
}

func TestNestedTexts(t *testing.T) {
	check(t, []reading{
		{`bash -c 'rm -rf /'`, `bash: rm -rf /`},
		{`sudo bash -lc "bash -c 'rm x'"`, `sudo+bash+bash: rm x`},
		{`bash -c 'rm "$1"' _ /x`, `bash: rm /x`},
		{`eval rm -rf "/"`, `eval: rm -rf /`},
		{`eval "$X"`, `[dynamic-code]; [dynamic-program]; eval ?`},
		{"bash <<E\nrm x\nE", `bash: rm x`},
		{"cat <<E\nrm x\nE", `cat`},
		{"cat <<'E' | bash\nrm $x\nE", `cat; bash: rm ?…`},
		{`bash <<< 'rm x'`, `bash: rm x`},
		{`echo 'rm x' | sh`, `echo rm x; sh: rm x`},
		{`echo cm0gLXJmIC8= | base64 -d | bash`, `echo cm0gLXJmIC8=; base64 -d; bash: rm -rf /`},
		{`curl -s http://x | sh`, `curl -s http://x; sh`},
		{`bash <(echo rm x)`, `echo rm x; bash ?; rm x`},
		{`$(echo rm) x`, `echo rm; rm x`},
		{`$X y`, `[dynamic-program]; ?… y`},
		{`ls | xargs rm -rf`, `ls; xargs: rm -rf ?…`},
		{`echo a b | xargs rm`, `echo a b; xargs: rm a b`},
		{`find . -name x -exec rm {} \;`, `find . -name x -exec rm {} ;; find: rm ./<*>`},
		{`ssh host rm -rf x`, `ssh host rm -rf x; @host ssh: rm -rf x`},
		{`sudo -u x env A=1 rm f`, `sudo+env: A=1 rm f`},
		{`echo $(rm x)`, `rm x; echo ?…`},
		{"echo `rm x`", `rm x; echo ?…`},
		{`diff <(rm x) y`, `rm x; diff ? y`},
		{`echo "unclosed`, `[unparsable]`},
	})
}
