package permit_test

import (
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/permit"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
)

// TestPurposes reads the names of purposes.
func TestPurposes(t *testing.T) {
	if got, wrong := permit.Purposes([]string{"Search", "search", "mining"}); wrong != "" ||
		!slices.Equal(got, []crawlers.Purpose{"search", permission.Mining}) {
		t.Errorf("%q, %q", got, wrong)
	}
	if _, wrong := permit.Purposes([]string{"search", "train"}); wrong != "train" {
		t.Errorf("%q", wrong)
	}
}
