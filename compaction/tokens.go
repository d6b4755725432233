package compaction

import "github.com/docket-engine/docket/events"

// How tokens are estimated. The figures come from the reference's recorded
// compactions, whose counts the estimate meets within one in a hundred.
const (
	bytesPerToken = 4
	messageTokens = 4 // of a message beside its blocks
	blockTokens   = 4 // of a block beside its text
	resultTokens  = 4 // of the wrapping of a tool's result
	imageTokens   = 1200
)

// Tokens estimates what a message takes of a model's context: one token for four
// bytes of each text, rounded up, and four for each block and each message.
// Bytes and not characters, since scripts of three bytes a character take more
// tokens for each. An image counts as 1,200. It is an estimate, for comparing and
// for limits with room to spare, and the same for every model. Events that are no
// messages take none.
func Tokens(ev events.Event) int64 {
	switch ev := any(ev).(type) { // the types that the surface holds
	case events.UserMessage:
		return contentTokens(ev.Content)
	case events.AgentMessage:
		return contentTokens(ev.Content)
	case events.ReviewNotice:
		return contentTokens(ev.Content)
	case events.SystemMessage:
		return contentTokens(ev.Message.Content)
	case events.DeveloperMessage:
		return contentTokens(ev.Message.Content)
	case events.AssistantMessage:
		return contentTokens(ev.Message.Content)
	case events.ToolResult:
		return resultTokens + contentTokens(ev.Message.Content)
	default:
		return 0
	}
}

func contentTokens(content []events.Block) int64 {
	total := int64(messageTokens)
	for _, b := range content {
		total += oneBlock(b)
	}
	return total
}

func oneBlock(b events.Block) int64 {
	switch b.Type {
	case "text", "reasoning":
		return blockTokens + textTokens(len(b.Text))
	case "tool-call":
		return blockTokens + textTokens(len(b.Name)) + textTokens(len(b.Arguments))
	case "image":
		return blockTokens + imageTokens
	default:
		return blockTokens + textTokens(len(b.Raw))
	}
}

func textTokens(bytes int) int64 { return int64((bytes + bytesPerToken - 1) / bytesPerToken) }

// textBytes is how long the text of one block may be in so many tokens.
func textBytes(tokens int64) int { return int(max(0, tokens-blockTokens)) * bytesPerToken }
