package answer_test

import (
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// TestReadings checks that each crawler is judged as it reads the file, that a requested
// dialect overrides that, and that there is no verdict for a token that no line can name.
func TestReadings(t *testing.T) {
	const text = "User-agent: AI2Bot\nUser-agent: img2dataset\nUser-agent: Googlebot\nUser-agent: Sogou web spider\nDisallow: /\n"
	all, err := answer.ParseCrawlers("AI2Bot,img2dataset,Googlebot-News,AdsBot-Google,Sogou web spider,FooBot")
	if err != nil {
		t.Fatal(err)
	}
	google := new(robotstxt.Google)
	for _, test := range []struct {
		dialect *robotstxt.Dialect
		want    []wire.Verdict
	}{
		{nil, []wire.Verdict{"disallowed", "disallowed", "disallowed", "allowed", "unknown", "allowed"}},
		{google, []wire.Verdict{"allowed", "allowed", "disallowed", "allowed", "allowed", "allowed"}},
	} {
		ruling := answer.RuleFile(answer.NewFile([]byte(text)), test.dialect, all)
		visit := answer.VisitText("/", ruling)
		for i, want := range test.want {
			a, e := visit.Answer(i), visit.Explain(i)
			verdict := visit.GridAnswer(i).Verdict
			if a.Verdict != want || e.Verdict != want || verdict != want {
				t.Errorf("%v, %s: %s, %s, %s, want %s", test.dialect, a.Agent, a.Verdict, e.Verdict, verdict, want)
			}
			unread := want == wire.VerdictUnknown
			if a.Unread != unread || (a.Dialect == nil) != unread ||
				(a.Reason == robotstxt.ReasonNoReading) != unread || e.Decision.Reason != a.Reason {
				t.Errorf("%v, %s: %+v", test.dialect, a.Agent, a)
			}
			if !unread && (e.Decision.Dialect != *a.Dialect || test.dialect != nil && *a.Dialect != *test.dialect) {
				t.Errorf("%v, %s: %v", test.dialect, a.Agent, *a.Dialect)
			}
			if want == wire.VerdictDisallowed && (a.Line != 5 || a.GroupLine != 1) {
				t.Errorf("%s: line %d of the group of line %d", a.Agent, a.Line, a.GroupLine)
			}
		}
	}
}
