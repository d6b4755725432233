package model

import (
	"net/http"
	"regexp"
	"slices"
)

// tooLargeKinds are the codes by which providers say that a request is too long.
var tooLargeKinds = []string{
	"context_length_exceeded", "string_above_max_length", "request_too_large",
	"exceed_context_size_error", "context_exceeded", "tokens_limit_reached", "model_max_prompt_tokens_exceeded",
}

// tooLargeWords are the sentences by which those say it that have no code for it. Nothing
// is allowed or denied by them: it is a failure either way, and of which class tells a
// person what to do. So each is a whole statement that a limit was passed, and not a
// phrase in which one is named.
var tooLargeWords = regexp.MustCompile(`(?i)` +
	`maximum (context|prompt|input) length( is| of|:) ?\(?\d` +
	`|\d maximum context length` +
	`|\b(prompt|input)( \([^)]*\))? is too long\b` +
	`|\bprompt too long\b` +
	`|\bexceed(s|ed)? (the |your )?((available|allowed|maximum|max|model's|model) ){0,2}context (size|length|window|limit)` +
	`|\bcontext (size|length|window)( has been| was| is)? exceeded` +
	`|\b(longer|greater) than the (model's )?context length` +
	`|\bwhen context the overflows\b` +
	`|\binput token count( \(\d+\)| of \d+)? exceeds the maximum` +
	"|`inputs` (tokens \\+|must have less than \\d+ tokens)" +
	`|\brange of input length should be\b`)

// tooLarge reports whether the provider finds the request too long. A status that says
// something else (who may ask, how often, whether anybody is there) is believed.
func (e *providerError) tooLarge() bool {
	if e.status == http.StatusRequestEntityTooLarge || slices.ContainsFunc(e.kinds, isTooLargeKind) {
		return true
	}
	switch e.status {
	case 0, http.StatusOK, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return tooLargeWords.MatchString(e.message)
	default:
		return false
	}
}

func isTooLargeKind(kind string) bool { return slices.Contains(tooLargeKinds, kind) }
