package auto_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/reviewer"
	"github.com/docket-engine/docket/reviewer/auto"
)

func TestADenialIsTheSeedsLineToTheLetter(t *testing.T) {
	w := auto.Words()
	want := `Auto review rejected tool "shell"; its body was not executed`
	if got := w.Denied("shell"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if w.DeniedName != "AutoReviewDeniedError" || w.DeniedCode != "AUTO_REVIEW_DENIED" {
		t.Errorf("got %s, %s", w.DeniedName, w.DeniedCode)
	}
}

func TestAFailureNamesItsCauseAndIsNoDenial(t *testing.T) {
	got := auto.Words().Failed("shell", &reviewer.Failure{Class: reviewer.ClassTimeout, Code: "MODEL_IDLE", Detail: "nothing came for 60 s"})
	if !strings.Contains(got, "MODEL_IDLE: nothing came for 60 s") || strings.Contains(got, "rejected") || strings.Contains(got, "denied") {
		t.Errorf("got %s", got)
	}
}

func TestAQuestionNamesTheToolAndTheReason(t *testing.T) {
	for name, c := range map[string]struct {
		reason jsontext.Value
		want   string
	}{
		"no reason":    {nil, `Auto review denied tool "shell".`},
		"empty reason": {jsontext.Value(`""`), `Auto review denied tool "shell": `},
		"raw reason":   {jsontext.Value(`"two\nlines "`), "Auto review denied tool \"shell\": two\nlines "},
		"half a pair":  {jsontext.Value(`"a\ud800b"`), "Auto review denied tool \"shell\": a\ufffdb"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := auto.Words().Question("shell", c.reason); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAReasonIsShownInOneLine(t *testing.T) {
	for name, c := range map[string]struct {
		reason         jsontext.Value
		english, asian string
	}{
		"none":             {nil, "The review gave no reason", "审查未说明理由"},
		"empty":            {jsontext.Value(`""`), "The review gave no reason", "审查未说明理由"},
		"blank":            {jsontext.Value(`" \n\t "`), "The review gave no reason", "审查未说明理由"},
		"as it is":         {jsontext.Value(`"deletes data"`), "deletes data", "deletes data"},
		"trimmed":          {jsontext.Value(`"  deletes data \n"`), "deletes data", "deletes data"},
		"folded":           {jsontext.Value(`"a\n\r\n  b\u2028c\u0085d"`), "a b c d", "a b c d"},
		"spaces are words": {jsontext.Value(`"a  b"`), "a  b", "a  b"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := auto.Display(c.reason, auto.English); got != c.english {
				t.Errorf("got %q, want %q", got, c.english)
			}
			if got := auto.Display(c.reason, auto.Chinese); got != c.asian {
				t.Errorf("got %q, want %q", got, c.asian)
			}
		})
	}
	if got := auto.DisplayQuestion("rm", jsontext.Value(`"x\ny"`), auto.Chinese); got != "自动审查拒绝了工具“rm”:x y" {
		t.Errorf("got %s", got)
	}
	if got := auto.DisplayQuestion("rm", nil, auto.English); got != "Auto review denied tool “rm”: The review gave no reason" {
		t.Errorf("got %s", got)
	}
}
