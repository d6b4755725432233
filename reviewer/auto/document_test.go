package auto

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/docket-engine/docket/reviewer"
)

// TestTheDocumentListsTheFailuresInTheirOrder holds docs/requests.md against the
// sentinels.
func TestTheDocumentListsTheFailuresInTheirOrder(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "requests.md"))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range []*reviewer.Failure{
		ErrRouteMissing, ErrCWDMissing, ErrPTCStartOutsideStep, ErrPTCIDAmbiguous, ErrNoOpenStep, ErrRootLogNotUnique,
		ErrPTCStartMissing, ErrRootVisibleTwice, ErrNativeIDAmbiguous, ErrMissingEarlierLog, ErrUnstartedHasPTC,
		ErrNotAStartedPrefix, ErrMessageLogMismatch, ErrRootNotVisible, ErrNativeActionMismatch, ErrNativeSchemaNotUnique,
		ErrSchemaIncomplete, ErrPTCActionMismatch, ErrPTCSchemaMissing,
		reviewer.ErrRouteNotAllowed, ErrRequestTooLarge, ErrHistoryIncomplete,
	} {
		want = append(want, f.Code)
	}
	var got []string
	_, table, _ := strings.Cut(string(text), "## When nobody is asked")
	for line := range strings.Lines(table) {
		if row, ok := strings.CutPrefix(line, "| `"); ok {
			code, _, _ := strings.Cut(row, "`")
			got = append(got, code)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/requests.md differs from the sentinels (-code +document):\n%s", diff)
	}
}
