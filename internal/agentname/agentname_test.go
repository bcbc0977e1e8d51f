package agentname_test

import (
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/agentname"
)

func TestInLines(t *testing.T) {
	for _, c := range []struct {
		value, google, rfc9309 string
		isCut                  bool // by google
	}{
		{"GPTBot", "GPTBot", "GPTBot", false},
		{"AI2Bot", "AI2Bot", "AI2Bot", true},
		{"80legs", "80legs", "80legs", true},
		{"archive.org_bot", "archive.org_bot", "archive.org_bot", true},
		{"Mail.RU_Bot/2.0", "Mail.RU_Bot", "Mail.RU_Bot", true},
		{"MJ12bot/1.0 (http://x)", "MJ12bot", "MJ12bot", true},
		{"Googlebot/2.1", "Googlebot", "Googlebot", false},
		{"Mozilla (compatible)", "Mozilla", "Mozilla", false},
		{"GPTBot*", "GPTBot", "GPTBot", false},
		{"Bót", "Bót", "Bót", true},
		{"*", "*", "*", false},
		{"", "", "", false},
	} {
		body := []byte("# x\nUser-agent: " + c.value + " # y\nDisallow: /\n")
		google := agentname.InLines(robotstxt.Google.Parse(body), body)[2]
		rfc9309 := agentname.InLines(robotstxt.RFC9309.Parse(body), body)[2]
		if google.Text != c.google || rfc9309.Text != c.rfc9309 || google.IsCut() != c.isCut {
			t.Errorf("%q: google %+v, rfc9309 %+v", c.value, google, rfc9309)
		}
	}
}
