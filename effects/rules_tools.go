package effects

// toolRules speak about tools and their arguments.
func toolRules() []Rule {
	return []Rule{
		{
			ID: "tool-unknown", Sentence: "Nothing is known of what the tool does with these arguments.", Decision: Review,
			Hit: Example{Tool: "deploy", Arguments: `{"to":"staging"}`}, Miss: Example{Tool: "read", Arguments: `{"path":"main.go"}`},
		},
		{
			ID: "path-strange", Sentence: "The path is empty, or not one that can be read as it is written.", Decision: Review,
			Hit: Example{Tool: "read", Arguments: `{"path":""}`}, Miss: Example{Tool: "read", Arguments: `{"path":"a"}`},
		},
	}
}
