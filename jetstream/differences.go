package jetstream

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"
)

// Difference is one setting in which a stream is not what the layout asks for.
type Difference struct {
	Setting   string // in words or as the server spells it: "discard policy", "deny_purge"
	Got, Want string
}

// String says it in words: "discard policy is old, want new".
func (d Difference) String() string {
	return fmt.Sprintf("%s is %s, want %s", d.Setting, d.Got, d.Want)
}

// IncompatibleError says in which settings an existing stream breaks a promise
// that the log relies on. A stream is never changed to fit: an operator decides
// whether that is safe for what the stream holds.
type IncompatibleError struct {
	Stream      string
	Differences []Difference // at least one
}

// Error implements error.
func (e *IncompatibleError) Error() string {
	words := make([]string, len(e.Differences))
	for i, d := range e.Differences {
		words[i] = d.String()
	}
	return fmt.Sprintf("stream %s is incompatible: %s", e.Stream, strings.Join(words, "; "))
}

// A setting is a part of a stream's configuration that the log relies on,
// written out so that equal words mean an equal promise.
type setting struct {
	name string
	show func(natsjs.StreamConfig) string
}

// settings are all that must agree. What is missing here is an operator's
// choice: description, metadata, placement, compression, and the limit on bytes
// where the layout sets none.
func settings() []setting {
	return []setting{
		{"subjects", func(c natsjs.StreamConfig) string { return strings.Join(c.Subjects, ",") }},
		{"storage", func(c natsjs.StreamConfig) string { return strings.ToLower(c.Storage.String()) }},
		{"retention policy", func(c natsjs.StreamConfig) string { return strings.ToLower(c.Retention.String()) }},
		{"discard policy", discardWord},
		{"replicas", func(c natsjs.StreamConfig) string { return strconv.Itoa(c.Replicas) }},
		{"max_consumers", func(c natsjs.StreamConfig) string { return limitWord(int64(c.MaxConsumers)) }},
		{"max_msgs", func(c natsjs.StreamConfig) string { return limitWord(c.MaxMsgs) }},
		{"max_bytes", func(c natsjs.StreamConfig) string { return limitWord(c.MaxBytes) }},
		{"max_age", func(c natsjs.StreamConfig) string { return limitWord(c.MaxAge) }},
		{"max_msgs_per_subject", func(c natsjs.StreamConfig) string { return limitWord(c.MaxMsgsPerSubject) }},
		{"max_msg_size", func(c natsjs.StreamConfig) string { return limitWord(int64(c.MaxMsgSize)) }},
		{"duplicate_window", func(c natsjs.StreamConfig) string { return c.Duplicates.String() }},
		{"first sequence", func(c natsjs.StreamConfig) string { return strconv.FormatUint(max(c.FirstSeq, 1), 10) }},
		{"republish", republishWord},
		{"subject transform", transformWord},
		{"mirror", mirrorWord},
		{"sources", sourcesWord},
		{"consumer limits", consumerLimitsWord},
		{"delete markers", func(c natsjs.StreamConfig) string { return onOff(c.SubjectDeleteMarkerTTL != 0) }},
		{"persist mode", func(c natsjs.StreamConfig) string { return strings.ToLower(c.PersistMode.String()) }},
		flag("allow_direct", func(c natsjs.StreamConfig) bool { return c.AllowDirect }),
		flag("mirror_direct", func(c natsjs.StreamConfig) bool { return c.MirrorDirect }),
		flag("deny_delete", func(c natsjs.StreamConfig) bool { return c.DenyDelete }),
		flag("deny_purge", func(c natsjs.StreamConfig) bool { return c.DenyPurge }),
		flag("sealed", func(c natsjs.StreamConfig) bool { return c.Sealed }),
		flag("no_ack", func(c natsjs.StreamConfig) bool { return c.NoAck }),
		flag("discard_new_per_subject", func(c natsjs.StreamConfig) bool { return c.DiscardNewPerSubject }),
		flag("roll-up headers", func(c natsjs.StreamConfig) bool { return c.AllowRollup }),
		flag("message TTL", func(c natsjs.StreamConfig) bool { return c.AllowMsgTTL }),
		flag("message counters", func(c natsjs.StreamConfig) bool { return c.AllowMsgCounter }),
		flag("message schedules", func(c natsjs.StreamConfig) bool { return c.AllowMsgSchedules }),
		flag("atomic batches", func(c natsjs.StreamConfig) bool { return c.AllowAtomicPublish }),
		flag("batched publishing", func(c natsjs.StreamConfig) bool { return c.AllowBatchPublish }),
	}
}

// differences lists in which settings got is not want.
func differences(got, want natsjs.StreamConfig) []Difference {
	if want.MaxBytes <= 0 {
		want.MaxBytes = got.MaxBytes
	}
	var ds []Difference
	for _, s := range settings() {
		if g, w := s.show(got), s.show(want); g != w {
			ds = append(ds, Difference{Setting: s.name, Got: g, Want: w})
		}
	}
	return ds
}

func flag(name string, is func(natsjs.StreamConfig) bool) setting {
	return setting{name, func(c natsjs.StreamConfig) string { return onOff(is(c)) }}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// limitWord knows that the server takes zero and every negative for no limit.
func limitWord[N int64 | time.Duration](n N) string {
	if n <= 0 {
		return "unlimited"
	}
	return fmt.Sprint(n)
}

func discardWord(c natsjs.StreamConfig) string {
	if c.Discard == natsjs.DiscardNew {
		return "new"
	}
	return "old"
}

func republishWord(c natsjs.StreamConfig) string {
	r := c.RePublish
	if r == nil {
		return "off"
	}
	word := r.Source + " to " + r.Destination
	if r.HeadersOnly {
		word += ", headers only"
	}
	return word
}

func transformWord(c natsjs.StreamConfig) string {
	if c.SubjectTransform == nil {
		return "off"
	}
	return c.SubjectTransform.Source + " to " + c.SubjectTransform.Destination
}

func mirrorWord(c natsjs.StreamConfig) string {
	if c.Mirror == nil {
		return "off"
	}
	word := "stream " + c.Mirror.Name
	if e := c.Mirror.External; e != nil {
		word += " by " + e.APIPrefix + " and " + e.DeliverPrefix
	}
	return word
}

func sourcesWord(c natsjs.StreamConfig) string {
	if len(c.Sources) == 0 {
		return "off"
	}
	names := make([]string, len(c.Sources))
	for i, s := range c.Sources {
		names[i] = s.Name
	}
	return "streams " + strings.Join(names, ", ")
}

func consumerLimitsWord(c natsjs.StreamConfig) string {
	l := c.ConsumerLimits
	if l == (natsjs.StreamConsumerLimits{}) {
		return "off"
	}
	return fmt.Sprintf("%s inactive, %d unacknowledged", l.InactiveThreshold, l.MaxAckPending)
}
