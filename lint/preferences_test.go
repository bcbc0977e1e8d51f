package lint_test

import (
	"slices"
	"testing"

	"github.com/kosterhq/robotstxt/lint"
)

func TestStatedPreferences(t *testing.T) {
	const text = `Content-Signal: ai-train=yes
User-agent: *
Content-Signal: search=yes, ai-train=no, ai-input=maybe
Content-Usage: /press/ train-ai=y, Search=n
Content-Usage: train-ai=n
Content-Usage: / ai-use=y
Allow: /
`
	want := []lint.Preference{
		{Line: 3, Key: "Content-Signal", Use: lint.UseSearch, Granted: true},
		{Line: 3, Key: "Content-Signal", Use: lint.UseTraining},
		{Line: 5, Key: "Content-Usage", Use: lint.UseTraining},
		{Line: 6, Key: "Content-Usage", Use: lint.UseInput, Granted: true},
	}
	if got := lint.Preferences([]byte(text), lint.Google); !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
