package effects

// textRules speak about texts that cannot be read.
func textRules() []Rule {
	return []Rule{
		{
			ID: "nothing-understood", Sentence: "Nothing of the call is understood.", Decision: Review,
			Hit: Example{Tool: "write", Arguments: `{"path":"/dev/null","content":""}`}, Miss: sh("ls"),
		},
		{
			ID: "unparsable", Sentence: "No shell that is known would take the text as it stands.", Decision: Review,
			Hit: sh("echo 'a"), Miss: sh("echo 'a'"),
		},
		{
			ID: "too-complex", Sentence: "The text is longer, deeper or more than what is analysed.", Decision: Review,
			Hit: sh("$($($($($($($($($($($(ls)))))))))))"), Miss: sh("ls"),
		},
		{
			ID: "program-computed", Sentence: "The name of the program that is run is computed: name it.", Decision: Deny,
			Hit: sh("$X -rf build"), Miss: sh("echo $X"),
		},
		{
			ID: "code-computed", Sentence: "What a shell or interpreter is given to run is computed.", Decision: Review,
			Hit: sh(`eval "$X"`), Miss: sh("eval ls"),
		},
		{
			ID: "control-bytes", Sentence: "The text has control characters in it.", Decision: Review,
			Hit: sh("ls \x1b[2K"), Miss: sh("ls\t-l"),
		},
		{
			ID: "look-alike", Sentence: "A program or path is spelled with letters that only look like others, or that cannot be seen.", Decision: Review,
			Hit: sh("gіt status"), Miss: sh("git status"),
		},
	}
}
