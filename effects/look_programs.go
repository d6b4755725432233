package effects

// lookPrograms tell of names, of sizes, of the machine or of the time.
func lookPrograms() map[string]program {
	list := usage{spec: spec{short: "aAbBcCdDfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ1", long: "all almost-all author escape block-size= ignore-backups color=? directory dired classify=? file-type format= full-time group-directories-first no-group human-readable si dereference dereference-command-line hide= hyperlink=? indicator-style= inode ignore= kibibytes numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero"}, files: looks, calm: true}.program()
	modern := usage{spec: spec{short: "1lGxFRTL:aAdrs:I:Dbghimnt:uUS@ZoM", long: "oneline long grid across classify=? recurse tree level= all almost-all list-dirs reverse sort= ignore-glob= git-ignore only-dirs group-directories-first binary bytes group header icons=? inode git time= time-style= no-permissions no-filesize no-user no-time color= colour= total-size"}, files: looks, calm: true}.program()
	all := map[string]program{
		"ls": list, "dir": list, "vdir": list, "eza": modern, "exa": modern, "lsd": modern,
		"wc":       usage{spec: spec{short: "clmLw", long: "bytes chars lines words max-line-length files0-from= total="}, files: looks, looked: "files0-from", calm: true}.program(),
		"stat":     usage{spec: spec{short: "c:fLtxnrsF", long: "format= printf= file-system dereference terse cached="}, files: looks, calm: true}.program(),
		"du":       usage{spec: spec{short: "0abB:cd:DhHklLmPsSt:xX:I:", long: "null all apparent-size block-size= bytes total max-depth= dereference-args files0-from= human-readable inodes si dereference no-dereference separate-dirs summarize threshold= time=? time-style= exclude-from= exclude= one-file-system"}, files: looks, looked: "X exclude-from files0-from", calm: true}.program(),
		"df":       usage{spec: spec{short: "aB:hHiklPt:Tvx:m", long: "all block-size= human-readable si inodes local portability type= print-type exclude-type= sync no-sync output=? total"}, calm: true}.program(),
		"file":     usage{spec: spec{short: "bcdeE:f:F:hiIkLlm:nNprsSvzZ0P:", long: "brief mime mime-type mime-encoding extension exclude= files-from= separator= dereference no-dereference keep-going raw magic-file= uncompress print0"}, files: looks, looked: "f files-from m magic-file", calm: true}.program(),
		"tree":     usage{spec: spec{short: "adfilL:qN-psughD:FrtcUvSnCAxP:I:o:JXH:T:RQ", long: "level= dirsfirst filesfirst noreport gitignore gitfile= prune charset= filelimit= sort=? si du inodes device timefmt= nolinks matchdirs ignore-case fromfile info hintro= houtro= metafirst"}, files: looks, written: "o", runs: "R"}.program(),
		"readlink": usage{spec: spec{short: "femnqsvz", long: "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero"}, files: looks, calm: true}.program(),
		"realpath": usage{spec: spec{short: "eLmPqsz", long: "canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero relative-to= relative-base="}, files: looks, calm: true}.program(),
		"cd":       usage{spec: spec{short: "LPe@"}, calm: true}.program(),
		"pushd":    usage{spec: spec{short: "n"}, calm: true}.program(),
		"popd":     usage{spec: spec{short: "n"}, calm: true}.program(),
		"dirs":     usage{spec: spec{short: "clpv"}, calm: true}.program(),
		"namei":    usage{spec: spec{short: "xmolnvZ"}, files: looks, calm: true}.program(),
		"lsattr":   usage{spec: spec{short: "RVadlpv"}, files: looks, calm: true}.program(),
		"getfacl":  usage{spec: spec{short: "acdeEsRLPtpn"}, files: looks, calm: true}.program(),
		"lsof":     usage{spec: spec{short: "abc:d:F::g::hi::nNo::Op:Pr:s::S:tT::u:UvVwx::X", long: ""}, files: looks, calm: true}.program(),
		"cloc":     usage{spec: spec{short: "v:", long: "by-file exclude-dir= include-lang= exclude-lang= json yaml csv md quiet vcs= git sum-one hide-rate"}, files: looks}.program(),
		"tokei":    usage{spec: spec{short: "fhVe:o:s:t:c:", long: "files exclude= output= sort= types= hidden compact"}, files: looks, calm: true}.program(),
		"scc":      usage{spec: spec{short: "af:i:s:x:w", long: "by-file format= include-ext= exclude-dir= exclude-ext= sort= no-cocomo no-complexity wide"}, files: looks, calm: true}.program(),
		"which":    usage{spec: spec{short: "as", long: "all skip-alias tty-only skip-dot show-dot read-alias"}, calm: true}.program(),
		"whereis":  usage{spec: spec{short: "bB:flmM:suS:"}, calm: true}.program(),
		"locate":   usage{spec: spec{short: "0bcd:ei::l:n:Lr:w", long: "ignore-case limit= count basename existing regex regexp="}, calm: true}.program(),
	}
	for name, u := range machineUsages() {
		u.calm = true
		all[name] = u.program()
	}
	return all
}

// machineUsages are programs that only say something, whatever they are asked.
func machineUsages() map[string]usage {
	return map[string]usage{
		"basename": {spec: spec{short: "as:z", long: "multiple suffix= zero"}},
		"dirname":  {spec: spec{short: "z", long: "zero"}},
		"pwd":      {spec: spec{short: "LP", long: "logical physical"}},
		"seq":      {spec: spec{short: "f:s:w", long: "format= separator= equal-width", numbers: true}},
		"sleep":    {}, "yes": {}, "factor": {}, "expr": {}, "nproc": {spec: spec{long: "all ignore="}},
		"numfmt": {spec: spec{short: "d:z", long: "debug delimiter= field= format= from= from-unit= grouping header=? invalid= padding= round= suffix= to= to-unit="}},
		"uname":  {spec: spec{short: "asnrvmpio", long: "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system"}},
		"arch":   {},
		"whoami": {}, "logname": {}, "tty": {spec: spec{short: "s"}}, "users": {},
		"id":     {spec: spec{short: "agGnruzZ", long: "group groups name real user zero"}},
		"groups": {}, "who": {spec: spec{short: "abdHlmpqrstTu", long: "all boot count"}}, "w": {spec: spec{short: "hufsoi"}},
		"uptime": {spec: spec{short: "ps", long: "pretty since"}},
		"free":   {spec: spec{short: "bkmghltwc:s:", long: "bytes kibi mebi gibi human si total wide count= seconds= giga mega kilo"}},
		"pgrep":  {spec: spec{short: "acd:fF:g:G:ilLno:P:rs:t:u:U:vwx", long: "list-name list-full full count delimiter= ignore-case newest oldest parent= exact euid= uid= older= inverse"}},
		"pidof":  {spec: spec{short: "cnqwsxo:"}}, "pstree": {spec: spec{short: "aAcghH:lnN:pstTuUZ"}},
		"vmstat": {spec: spec{short: "afmnsdDp:S:twy"}}, "iostat": {spec: spec{short: "cdhkmNpstVxyz"}}, "mpstat": {spec: spec{short: "AI:nNoP:TuV"}},
		"lscpu": {spec: spec{short: "abceJpxy"}}, "lsblk": {spec: spec{short: "abdDeE:fiI:JlmMnNo:OpPrsStTxVz", long: "all bytes json list output= paths"}}, "lsusb": {spec: spec{short: "vts:d:"}}, "lspci": {spec: spec{short: "vknmtbDxs:d:q"}}, "lsmod": {},
		"cal": {spec: spec{short: "13ymjhA:B:n:S"}}, "locale": {spec: spec{short: "akmcv"}}, "getconf": {spec: spec{short: "av:"}},
		"tput": {spec: spec{short: "T:S"}}, "clear": {spec: spec{short: "xT:"}}, "reset": {}, "lsb_release": {spec: spec{short: "idrcasv"}}, "sw_vers": {spec: spec{oneDash: true, long: "productName productVersion buildVersion"}},
		"hostid": {}, "sync": {}, "last": {spec: spec{short: "adFin:wx", numbers: true}}, "getent": {},
		"apropos": {spec: spec{short: "aerw"}}, "whatis": {spec: spec{short: "rw"}}, "tldr": {}, "cowsay": {}, "figlet": {spec: spec{short: "f:w:ckrlp"}},
		"nvidia-smi": {spec: spec{short: "Lqi:"}},
	}
}
