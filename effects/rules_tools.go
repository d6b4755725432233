package effects

// toolRules speak about tools and their arguments.
func toolRules() []Rule { return append(callRules(), contentRules()...) }

// argued is an example of a tool.
func argued(tool, arguments string) Example { return Example{Tool: tool, Arguments: arguments} }

func callRules() []Rule {
	return []Rule{
		{
			ID: "tool-unknown", Sentence: "Nothing is known of what the tool does with these arguments.", Decision: Review,
			Hit: argued("deploy", `{"to":"staging"}`), Miss: argued("read", `{"path":"main.go"}`),
		},
		{
			ID: "tool-destroys", Sentence: "The tool deletes or ends something, by its name or by what its maker says.", Decision: Review,
			Hit: argued("mcp__store__delete_item", `{"id":"7"}`), Miss: argued("mcp__store__list_items", `{"id":"7"}`),
		},
		{
			ID: "tool-hinted", Sentence: "The tool's maker says that it may destroy something, or reaches what is outside.", Decision: Review,
			Hit:  Example{Tool: "read", Arguments: `{"path":"main.go"}`, Destructive: true},
			Miss: argued("read", `{"path":"main.go"}`),
		},
		{
			ID: "session-only", Sentence: "The tool changes the state of the session and nothing else.", Decision: Allow,
			Hit: argued("TodoWrite", `{"todos":[]}`), Miss: argued("TodoWrite", `{"todos":[],"path":"main.go"}`),
		},
		{
			ID: "agent-started", Sentence: "Another agent is started, whose calls are reviewed one by one.", Decision: Allow,
			Hit: argued("Task", `{"description":"look","prompt":"find the tests","subagent_type":"explore"}`), Miss: argued("Task", `{"prompt":"look","isolation":"remote"}`),
		},
		{
			ID: "program-calls-tools", Sentence: "A program runs whose only way out is to call tools, and those calls are reviewed one by one.", Decision: Allow,
			Hit: argued("run_code", `{"code":"return (await tools.read({path: 'a'})).length"}`), Miss: argued("run_code", `{"code":"1","language":"python"}`),
		},
		{
			ID: "input-sent", Sentence: "A process that runs already is given input, and nobody knows what it does with it.", Decision: Review,
			Hit: argued("write_stdin", `{"session_id":1,"chars":"y\n"}`), Miss: argued("write_stdin", `{"session_id":1,"chars":""}`),
		},
		{
			ID: "sandbox-widened", Sentence: "The call asks for more than the session's sandbox gives.", Decision: Review,
			Hit: argued("bash", `{"command":"ls","sandbox_permissions":"danger-full-access"}`), Miss: argued("bash", `{"command":"ls","sandbox_permissions":"workspace-write"}`),
		},
		{
			ID: "address-strange", Sentence: "The address is none of the web, or is not written out.", Decision: Review,
			Hit: argued("WebFetch", `{"url":"file:///etc/hosts","prompt":"look"}`), Miss: argued("WebFetch", `{"url":"https://example.com/","prompt":"look"}`),
		},
		{
			ID: "address-inside", Sentence: "The address is of this machine, of a neighbour, or of what a cloud tells its machines.", Decision: Review,
			Hit: argued("WebFetch", `{"url":"http://169.254.169.254/latest","prompt":"look"}`), Miss: argued("WebFetch", `{"url":"https://example.com/","prompt":"look"}`),
		},
	}
}

func contentRules() []Rule {
	return []Rule{
		{
			ID: "path-strange", Sentence: "The path is empty, or not one that can be read as it is written.", Decision: Review,
			Hit: argued("read", `{"path":""}`), Miss: argued("read", `{"path":"a"}`),
		},
		{
			ID: "patch-unparsable", Sentence: "The patch is not one that can be read to its end.", Decision: Review,
			Hit:  argued("apply_patch", `{"command":"*** Begin Patch\n*** Add File: a\n+b"}`),
			Miss: argued("apply_patch", `{"command":"*** Begin Patch\n*** Add File: a\n+b\n*** End Patch\n"}`),
		},
		{
			ID: "write-secret-text", Sentence: "What is written into the file holds a key or a token.", Decision: Review,
			Hit: argued("write", `{"path":"a.txt","content":"`+"gh"+`p_0123456789abcdefghijABCDEFGHIJ012345"}`), Miss: argued("write", `{"path":"a.txt","content":"gh"}`),
		},
		{
			ID: "secret-undelimited", Sentence: "The call holds a secret whose end cannot be told: no model may see it, and a person decides.", Decision: Review,
			Hit:  argued("write", `{"path":"a.txt","content":"-----BEGIN `+"PRIVATE"+` KEY-----\nMIIEvgIBADANBgkqhkiG9w0BAQEFAASC"}`),
			Miss: argued("write", `{"path":"a.txt","content":"-----BEGIN CERTIFICATE-----\nMIIEvgIBADANBgkqhkiG9w0BAQEFAASC"}`),
		},
		{
			ID: "script-denied", Sentence: "A script is written that would do what no command may.", Decision: Review,
			Hit: argued("write", `{"path":"clean.sh","content":"rm -rf /\n"}`), Miss: argued("write", `{"path":"clean.md","content":"rm -rf /\n"}`),
		},
	}
}
