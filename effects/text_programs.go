package effects

// textPrograms show, count or compare what is in files, and change none but those that
// an option names.
func textPrograms() map[string]program {
	all := map[string]program{
		"cat":  usage{spec: spec{short: "AbeEnstTuv", long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting"}, files: shows, calm: true}.program(),
		"tac":  usage{spec: spec{short: "brs:", long: "before regex separator="}, files: shows, calm: true}.program(),
		"head": usage{spec: spec{short: "n:c:qvz", long: "lines= bytes= quiet silent verbose zero-terminated", numbers: true}, files: shows, calm: true}.program(),
		"tail": usage{spec: spec{short: "n:c:fFqvs:z", long: "follow=? lines= bytes= pid= retry sleep-interval= quiet silent verbose max-unchanged-stats= zero-terminated", numbers: true}, files: shows, calm: true}.program(),
		"nl":   usage{spec: spec{short: "b:d:f:h:i:l:n:ps:v:w:", long: "body-numbering= starting-line-number= number-format= number-width= number-separator="}, files: shows, calm: true}.program(),
		"rev":  usage{spec: spec{short: "V"}, files: shows, calm: true}.program(),
		"fold": usage{spec: spec{short: "bcsw:", long: "bytes characters spaces width=", numbers: true}, files: shows, calm: true}.program(),
		"fmt":  usage{spec: spec{short: "cg:p:stuw:", long: "crown-margin goal= prefix= split-only tagged-paragraph uniform-spacing width=", numbers: true}, files: shows, calm: true}.program(),
		"pr":   usage{spec: spec{short: "acdD:e::f:Fh:i::Jl:mn::N:o:rs::S::tTvw:W:", long: "columns= double-space header= length= number-lines=? omit-header width= page-width=", numbers: true}, files: shows, calm: true}.program(),

		"expand":    usage{spec: spec{short: "it:", long: "initial tabs=", numbers: true}, files: shows, calm: true}.program(),
		"unexpand":  usage{spec: spec{short: "at:", long: "all first-only tabs="}, files: shows, calm: true}.program(),
		"cut":       usage{spec: spec{short: "b:c:d:f:nsz", long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated"}, files: shows, calm: true}.program(),
		"paste":     usage{spec: spec{short: "d:sz", long: "delimiters= serial zero-terminated"}, files: shows, calm: true}.program(),
		"column":    usage{spec: spec{short: "c:deE:hH:i:JlL:n:N:o:O:p:r:R:s:tT:W:x", long: "table separator= output-separator= json table-name= table-columns= table-right= output-width= fillrows"}, files: shows, calm: true}.program(),
		"join":      usage{spec: spec{short: "a:e:ij:o:t:v:1:2:z", long: "ignore-case check-order nocheck-order header zero-terminated"}, files: shows, calm: true}.program(),
		"comm":      usage{spec: spec{short: "123z", long: "check-order nocheck-order output-delimiter= total zero-terminated"}, files: shows, calm: true}.program(),
		"tr":        usage{spec: spec{short: "cCdst", long: "complement delete squeeze-repeats truncate-set1"}, calm: true}.program(),
		"od":        usage{spec: spec{short: "A:bcdDfFhHiIj:lLN:oOsS:t:vw::xX", long: "address-radix= skip-bytes= read-bytes= format= output-duplicates width=?"}, files: shows, calm: true}.program(),
		"hexdump":   usage{spec: spec{short: "bcCde:f:n:os:vxL::", long: "canonical length= skip= no-squeezing color=?"}, files: shows, shown: "f", calm: true}.program(),
		"xxd":       usage{spec: spec{short: "abc:Ceg:il:o:prs:uvdE", long: "r p plain ps revert"}, files: shows, last: writes}.program(),
		"strings":   usage{spec: spec{short: "adfn:t:e:ow", long: "all bytes= radix= encoding= print-file-name data", numbers: true}, files: shows, calm: true}.program(),
		"base64":    usage{spec: spec{short: "dDiw:b:", long: "decode ignore-garbage wrap="}, files: shows, calm: true}.program(),
		"base32":    usage{spec: spec{short: "diw:", long: "decode ignore-garbage wrap="}, files: shows, calm: true}.program(),
		"sort":      usage{spec: spec{short: "bdfgiMhnRrVck:mo:sS:t:T:uzC", long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort random-source= reverse sort= version-sort batch-size= check=? compress-program= debug files0-from= key= merge output= stable buffer-size= field-separator= temporary-directory= parallel= unique zero-terminated"}, files: shows, shown: "files0-from random-source", written: "o output T temporary-directory", runs: "compress-program"}.program(),
		"uniq":      usage{spec: spec{short: "cdDf:is:uw:z", long: "count repeated all-repeated=? skip-fields= group=? ignore-case skip-chars= unique zero-terminated check-chars=", numbers: true}, files: shows, last: writes}.program(),
		"shuf":      usage{spec: spec{short: "ei:n:o:rz", long: "echo input-range= head-count= output= random-source= repeat zero-terminated"}, files: shows, written: "o output"}.program(),
		"cmp":       usage{spec: spec{short: "bi:ln:s", long: "print-bytes ignore-initial= verbose bytes= quiet silent"}, files: looks, calm: true}.program(),
		"diff":      usage{spec: spec{short: "abBcC:dD:eEfF:hHiI:lL:nNpPqrsS:tTuU:vwW:x:X:yZ", long: diffOptions, numbers: true}, files: searches, shown: "X exclude-from from-file to-file"}.program(),
		"diff3":     usage{spec: spec{short: "AeExX3imaTL:", long: "show-all merge text easy-only label= strip-trailing-cr"}, files: searches}.program(),
		"colordiff": usage{spec: spec{short: "abBcC:dD:eEiI:nNpqrsTuU:wyW:", long: diffOptions, numbers: true}, files: searches}.program(),
		"iconv":     usage{spec: spec{short: "f:t:clo:s", long: "from-code= to-code= list output= silent"}, files: shows, written: "o output"}.program(),
		"dos2unix":  usage{spec: spec{short: "abcdefiklmnoqsuv", long: "newfile keepdate quiet force info=?"}, files: writes}.program(),
		"unix2dos":  usage{spec: spec{short: "abcdefiklmnoqsuv", long: "newfile keepdate quiet force info=?"}, files: writes}.program(),
		"zcat":      usage{spec: spec{short: "fqvk"}, files: shows, calm: true}.program(),
		"bzcat":     usage{spec: spec{short: "sq"}, files: shows, calm: true}.program(),
		"xzcat":     usage{spec: spec{short: "fqvT:"}, files: shows, calm: true}.program(),
		"csvlook":   usage{spec: spec{short: "d:tq:ue:SHIy:", long: "max-rows= max-columns= no-header-row"}, files: shows, calm: true}.program(),
	}
	sum := usage{spec: spec{short: "a:bctwzl:", long: "binary check tag text zero ignore-missing quiet status strict warn length= algorithm= untagged"}, files: looks, calm: true}.program()
	for _, name := range []string{"md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum", "sum", "shasum", "md5"} {
		all[name] = sum
	}
	pager := usage{spec: spec{short: "aBcCdeEfFgGiIJKLmMnNqQrRsSuUwWXhj:p:x:z:~", long: "quit-if-one-screen RAW-CONTROL-CHARS no-init chop-long-lines LINE-NUMBERS", numbers: true}, files: shows, refuses: "+", calm: true}.program()
	for _, name := range []string{"less", "more", "most"} {
		all[name] = pager
	}
	return all
}

const diffOptions = "normal brief report-identical-files context=? unified=? ed rcs side-by-side width= left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab tabsize= suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ignore-file-name-case exclude= exclude-from= starting-file= from-file= to-file= ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr ifdef= minimal horizon-lines= speed-large-files color=? palette="
