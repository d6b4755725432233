package bus_test

import (
	"testing"

	"github.com/docket-engine/docket/bus/bustest"
)

func TestWhatIsImpossibleOnAnEmbeddedServer(t *testing.T) {
	b, _ := bustest.Start(t)
	bustest.Permissions(t, b)
}
