// Package secrets finds secrets in texts and JSON, by their shape and by their place,
// and takes them out of what goes to a model or into a record.
//
// What it returns for a text is safe to show: of a secret no part is left, a marker
// such as "[redacted: github token]" stands in its place. What cannot be delimited —
// a private key without its end, a secret that a substitution is mixed into — is not
// guessed at: the text is undisclosable, and nothing of it is returned.
//
// A reference to a secret ($TOKEN, os.environ["TOKEN"], --token-file PATH) is none, and
// neither is a word that only speaks of one. Everything takes time linear in the text.
package secrets
