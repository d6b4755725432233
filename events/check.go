package events

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// firstError runs checks in order and gives the first failure.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func positive(field string, n int) error {
	if n < 1 || n > MaxSafeInteger {
		return fieldf(field, "must be a whole number from 1, is %d or missing", n)
	}
	return nil
}

func nonEmpty(field, s string) error {
	if s == "" {
		return fieldf(field, "must not be empty or missing")
	}
	return nil
}

func oneOf(field, s string, allowed ...string) error {
	if slices.Contains(allowed, s) {
		return nil
	}
	if s == "" {
		return fieldf(field, "must be one of %s, is missing", strings.Join(allowed, ", "))
	}
	return fieldf(field, "must be one of %s, is %q", strings.Join(allowed, ", "), clip(s))
}

func optionalOneOf(field, s string, allowed ...string) error {
	if s == "" {
		return nil
	}
	return oneOf(field, s, allowed...)
}

func checkStep(turn, step int) error {
	return firstError(positive("turn", turn), positive("step", step))
}

// present checks a member whose zero value is a legal one.
func present[T any](field string, v *T) error {
	if v == nil {
		return fieldf(field, "is missing")
	}
	return nil
}

// array checks a member that may be an empty array, but not missing.
func array[T any](field string, v []T) error {
	if v == nil {
		return fieldf(field, "must be an array, is missing")
	}
	return nil
}

// literal checks a member that is kept as JSON text.
func literal(field string, v jsontext.Value, kind jsontext.Kind) error {
	if len(v) == 0 {
		return fieldf(field, "is missing")
	}
	if v.Kind() != kind {
		return fieldf(field, "must be %s, is %s", kindName(kind), kindName(v.Kind()))
	}
	return nil
}

func safeSeq(field string, s Seq) error {
	if s < 0 || s > MaxSafeInteger {
		return fieldf(field, "must be a whole number from 0 to 2^53-1, is %d", s)
	}
	return nil
}

// memberID checks a session id that is not the session's own.
func memberID(field string, id SessionID) error {
	if f, ok := errors.AsType[*FieldError](id.Check()); ok {
		return &FieldError{Field: field, Rule: f.Rule}
	}
	return nil
}

// clip shortens foreign text for an error message.
func clip(s string) string {
	const limit = 64
	if len(s) <= limit {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(s[:limit], ""), len(s))
}
