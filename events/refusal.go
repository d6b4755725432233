package events

import "fmt"

// Refusal says why a command cannot be decided in the state that a log is in.
// Nothing was appended. Code is stable, for programs; Field is the member of the
// command that is at fault, if one is; Text is the sentence for people, without a
// full stop.
type Refusal struct {
	Code  string
	Field string
	Text  string
}

// Refuse makes a refusal.
func Refuse(code, field, text string, args ...any) *Refusal {
	return &Refusal{Code: code, Field: field, Text: fmt.Sprintf(text, args...)}
}

// Error gives the field and the sentence.
func (r *Refusal) Error() string {
	if r.Field == "" {
		return r.Text
	}
	return r.Field + ": " + r.Text
}
