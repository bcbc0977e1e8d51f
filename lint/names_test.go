package lint_test

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/test/witness"
	"github.com/kosterhq/robotstxt/lint"
)

// agentValues returns the values of the user-agent lines of a body.
func agentValues(body []byte) (values []string) {
	for l := range robotstxt.Lines(body) {
		if l.Kind == robotstxt.KindUserAgent {
			values = append(values, string(l.Value))
		}
	}
	return values
}

// fixNames makes the fixes about names that change verdicts, or the plain ones.
func fixNames(t testing.TB, body []byte, meaning bool) []byte {
	t.Helper()
	findings := lint.Check(body, lint.Config{MaxFindings: -1, MaxPerCode: -1})
	findings = slices.DeleteFunc(findings, func(f lint.Finding) bool {
		about := strings.HasPrefix(string(f.Code), "RX1") && f.Code != "RX110" && f.Code != "RX113" // they say something else
		return f.Fix == nil || f.Fix.Meaning != meaning || meaning && !about
	})
	fixed, _ := mend(t, body, findings, meaning)
	return fixed
}

// TestNames: whom values mean, why, and the lines that fixes write.
func TestNames(t *testing.T) {
	table, err := os.ReadFile("testdata/names.tsv")
	if err != nil {
		t.Fatal(err)
	}
	unused := func(text string) string { return strings.TrimPrefix(text, "-") }
	cases := 0
	for row := range strings.Lines(string(table)) {
		fields := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if strings.HasPrefix(row, "# ") {
			continue
		}
		cases++
		value, err := strconv.Unquote(`"` + strings.ReplaceAll(fields[0], `"`, `\"`) + `"`)
		if err != nil {
			t.Fatal(err)
		}
		tokens, why := lint.Intended(value)
		if got := strings.Join(tokens, ","); got != unused(fields[1]) || why != fields[2] {
			t.Errorf("%q means %q (%s), want %q (%s)", value, got, why, fields[1], fields[2])
		}
		body := []byte("User-agent: " + value + "\nDisallow: /x\n")
		written := ""
		if fixed := fixNames(t, body, true); !bytes.Equal(fixed, body) {
			written = strings.Join(agentValues(fixed), ",")
		}
		if written != unused(fields[3]) {
			t.Errorf("the fix for %q writes %q, want %q", value, written, fields[3])
		}
	}
	if cases < 160 {
		t.Errorf("only %d cases", cases)
	}
}

// checkNames checks the laws of fixes of names: no name is lost, each line that they write is one
// name, a second run changes no line, and plain fixes change none.
func checkNames(t testing.TB, body []byte) {
	t.Helper()
	meant := func(body []byte) (all []string) {
		for _, value := range agentValues(body) {
			if value == "" {
				continue
			}
			tokens, why := lint.Intended(value)
			m, _ := crawlers.Meant(value)
			if robotstxt.ValidAgent(value) && (why == "unknown" || why == "company" && !m.Sure) {
				tokens = []string{value} // which no fix replaces
			}
			all = append(all, tokens...)
		}
		return all
	}
	fixed := fixNames(t, body, true)
	after, before := meant(fixed), agentValues(body)
	for _, token := range meant(body) {
		if !slices.ContainsFunc(after, func(other string) bool { return ascii.EqualFold(other, token) }) {
			t.Errorf("%q is lost: %q becomes %q", token, body, fixed)
		}
	}
	for _, value := range agentValues(fixed) {
		if slices.Contains(before, value) {
			continue
		}
		if _, why := lint.Intended(value); !slices.Contains([]string{"star", "exact", "unknown", "company"}, why) {
			t.Errorf("the line %q is written, which is %s: %q becomes %q", value, why, body, fixed)
		}
	}
	if again := fixNames(t, fixed, true); !slices.Equal(agentValues(again), agentValues(fixed)) {
		t.Errorf("a second run changes lines: %q, %q, %q", body, fixed, again)
	}
	if plain := fixNames(t, body, false); !slices.Equal(agentValues(plain), before) {
		t.Errorf("plain fixes change names: %q becomes %q", body, plain)
	}
}

// nameFragments are parts of values.
var nameFragments = []string{
	"GPTBot", "ClaudeBot", "CCBot", "Googlebot", "OpenAI", "coccoc", "FooBot", "MJ12bot", "Sogou web spider", "Yahoo! Slurp", "curl", "Mozilla/5.0", "Google", "GPT Bot", "Gogglebot", "Perplexity\u2011User",
	"*", "all", "/", "/1.0", "/v2", ",", ", ", ";", "|", " | ", "+", " & ", " and ", " or ", " ", "(", ")", "[", "]", "\"", "'", "^", "$", "\\b", "\\ ", ".*", ".", ":", "!", "not ", " except ", " AND NOT ", "but",
	"(+https://x.example)", "(compatible; ", "; like Googlebot)", "@", "\u201c", "\u200b", "\u00a0", "\xa0", "\u0421", "-", "_", "bot*", "GPT*", " Disallow: /", "# note",
}

// TestNameLaws checks the laws with a fifth of all pairs of fragments, with ROBOTSTXT_LONG with all.
func TestNameLaws(t *testing.T) {
	for i, a := range nameFragments {
		for k, b := range nameFragments {
			if (i+k)%5 > 0 && os.Getenv("ROBOTSTXT_LONG") == "" {
				continue
			}
			checkNames(t, []byte("User-agent: "+a+b+"\nDisallow: /x\n"))
			checkNames(t, []byte("User-agent: GPTBot\nUser-agent: GPTBot"+a+b+" # note\nDisallow: /x\n\nUser-agent: ClaudeBot\nAllow: /\n"))
			checkNames(t, []byte("User-agent:\n"+a+b+"\nDisallow: /x\n"))
		}
	}
}

// TestCorpusNames checks them with a quarter of the real files, with ROBOTSTXT_LONG with all.
func TestCorpusNames(t *testing.T) {
	t.Parallel()
	bodies, _ := witness.Corpus(t)
	for i, body := range bodies {
		if i%4 == 0 || os.Getenv("ROBOTSTXT_LONG") != "" {
			checkNames(t, body)
		}
	}
}

// FuzzNames checks the laws, and that a value means each token once.
func FuzzNames(f *testing.F) {
	for _, a := range nameFragments {
		f.Add("FooBot"+a+"GPTBot", a)
	}
	f.Fuzz(func(t *testing.T, value, other string) {
		tokens, _ := lint.Intended(value + "x")
		for i, token := range tokens {
			if slices.ContainsFunc(tokens[:i], func(before string) bool { return ascii.EqualFold(before, token) }) {
				t.Errorf("%q: %v", value, tokens)
			}
		}
		checkNames(t, []byte("User-agent: "+value+"\nDisallow: /x\n\nUser-agent: "+other+"\n"))
	})
}

// TestNameFindings: what is said about names, and what the fixes write.
func TestNameFindings(t *testing.T) {
	const rest = "Disallow: /x/\n"
	checkRooms(t, "RX1", []room{
		{name: "a company, beside one of its crawlers", body: "User-agent: OpenAI\nUser-agent: GPTBot\n" + rest, want: "1:13 RX109", meaning: true, fixed: "User-agent: OAI-SearchBot\nUser-agent: ChatGPT-User\nUser-agent: GPTBot\n" + rest},
		{
			name: "a company, beside one of its crawlers with other rules", body: "User-agent: OpenAI # AI\n" + rest + "\nUser-agent: GPTBot\nAllow: /\n",
			want: "1:13 RX109", says: "a line for each crawler that you mean: GPTBot, OAI-SearchBot. Line 4 has other rules for GPTBot.", meaning: true,
			fixed: "User-agent: GPTBot # AI\nUser-agent: OAI-SearchBot\nUser-agent: ChatGPT-User\n" + rest + "\nUser-agent: GPTBot\nAllow: /\n",
		},
		{
			name: "a company of few files", body: "User-agent: Mojeek\n" + rest,
			want: "1:13 RX109", says: "not the name of a crawler. Did you mean MojeekBot?",
		},
		{
			name: "a list, of which the group has a name", body: "User-agent: ClaudeBot\nUser-agent: GPTBot/ClaudeBot\nUser-agent: CCBot\n" + rest,
			want: "2:13 RX115", says: `Google reads only "GPTBot" here. Write a User-agent line for each crawler: GPTBot, ClaudeBot.`, meaning: true,
			fixed: "User-agent: ClaudeBot\nUser-agent: GPTBot\nUser-agent: CCBot\n" + rest,
		},
		{
			name: "a list in brackets", body: "User-agent: (GPTBot|*)\n" + rest, want: "1:13 RX115", says: "Google reads no name here", meaning: true,
			fixed: "User-agent: GPTBot\nUser-agent: *\n" + rest,
		},
		{name: "a list with a name that no line can have", body: "User-agent: Sogou web spider, GPTBot\n" + rest, want: "1:13 RX115", says: "Write a User-agent line for each crawler", fixed: "User-agent: Sogou web spider\nUser-agent: GPTBot\n" + rest, meaning: true},
		{name: "a version after digits", body: "User-agent: MJ12bot/v1.4.8\n" + rest, want: "1:13 RX101", says: `Google reads only "MJ" here; other crawlers read more of the name. Write MJ12bot.`, fixed: "User-agent: MJ12bot\n" + rest, meaning: true},
		{name: "a version after a name that begins with digits", body: "User-agent: 360Spider/1.0\n" + rest, want: "1:13 RX101", says: "Google reads no name here", fixed: "User-agent: 360Spider\n" + rest, meaning: true},
		{name: "a look-alike", body: "User-agent: Perplexity\u2011User\n" + rest, want: "1:13 RX109", says: "contains U+2011, which is not in the crawler's name. Write Perplexity-User.", fixed: "User-agent: Perplexity-User\n" + rest, meaning: true},
		{name: "one in Windows-1252", body: "User-agent: Google\x96Extended\n" + rest, want: "1:13 RX109", says: "contains the byte 0x96", fixed: "User-agent: Google-Extended\n" + rest, meaning: true},
		{name: "the beginning of one name", body: "User-agent: GPT*\n" + rest, want: "1:13 RX104", says: "Write GPTBot.", fixed: "User-agent: GPTBot\n" + rest, meaning: true},
		{name: "the beginning of several names", body: "User-agent: Googl*\n" + rest, want: "1:13 RX104", says: " more."},
		{name: "the beginning of a company's name", body: "User-agent: OpenA*\n" + rest, want: "1:13 RX101", fixed: "User-agent: OpenA\n" + rest, meaning: true},
		{name: "an exception", body: "User-agent: !Googlebot\n" + rest, want: "1:13 RX104", says: "cannot exclude crawlers; this line applies to no crawler"},
		{name: "an exception to all", body: "User-agent: * AND NOT Googlebot\n" + rest, want: "1:13 RX104", says: "Google reads this one as * for all"},
		{name: "expressions", body: "User-agent: mail\\.ru\nUser-agent: bot[\\s_]\n" + rest, want: "1:13 RX101", says: `as in "mail\.ru". Write`},
		{name: "the name on the next line", body: "User-agent:  # bots\nGooglebot\n" + rest, want: "1:1 RX104", says: "the name seems to be on line 2. Write User-agent: Googlebot.", fixed: "User-agent: Googlebot # bots\n" + rest, meaning: true},
		{name: "the name and a rule on the next line", body: "User-agent:\r\n\tYandex  Disallow: /\r\n" + rest, want: "1:1 RX104", says: "line 2", fixed: "User-agent: Yandex\r\nDisallow: /\r\n" + rest, meaning: true},
		{name: "names on the next line, the last", body: "User-agent:\nGPTBot, CCBot", want: "1:1 RX104", says: "Write a User-agent line for each crawler: GPTBot, CCBot.", fixed: "User-agent: GPTBot\nUser-agent: CCBot\n", meaning: true},
		{name: "a star on the next line", body: "User-agent:\n* # all\n" + rest, want: "1:1 RX104", says: "Write User-agent: *.", fixed: "User-agent: *\n# all\n" + rest, meaning: true},
		{name: "all on the next line", body: "User-agent:\nall\n" + rest, want: "1:1 RX104", says: "Write User-agent: *.", fixed: "User-agent: *\n" + rest, meaning: true},
		{name: "a comma and a conjunction", body: "User-agent: GPTBot, CCBot, and FooBot\n" + rest, want: "1:13 RX115", says: "GPTBot, CCBot, FooBot.", fixed: "User-agent: GPTBot\nUser-agent: CCBot\nUser-agent: FooBot\n" + rest, meaning: true},
		{name: "a star in quotes", body: "User-agent: \"*\"\n" + rest, want: "1:13 RX104", says: "Write *.", fixed: "User-agent: *\n" + rest, meaning: true},
		{name: "an invisible character after a star", body: "User-agent: *\u00a0\n" + rest, want: "1:13 RX104", says: "with U+00A0 after it, this line applies to no crawler. Write *.", fixed: "User-agent: *\n" + rest, meaning: true},
		{name: "an invisible character between names", body: "User-agent: GPTBot\u00a0CCBot\n" + rest, want: "1:13 RX115", says: "GPTBot, CCBot.", fixed: "User-agent: GPTBot\nUser-agent: CCBot\n" + rest, meaning: true},
		{name: "the header of an unknown crawler in quotes", body: "User-agent: \"FooBot/1.0 (+https://x.example)\"\n" + rest, want: "1:13 RX104", says: "Write FooBot."},
		{name: "all in quotes", body: "User-agent: \"all\"\n" + rest, want: "1:13 RX116", says: "Write *.", fixed: "User-agent: *\n" + rest, meaning: true},
		{name: "a version after a space", body: "User-agent: GPTBot 1.0\n" + rest, want: "1:13 RX101", says: "Crawler names contain no spaces; Google reads only \"GPTBot\" here. Write GPTBot.", fixed: "User-agent: GPTBot\n" + rest, meaning: true},
		{name: "an exception in a comment", body: "User-agent: * (except Googlebot)\n" + rest, want: "1:13 RX104", says: "Google reads this one as * for all"},
		{name: "an expression for all", body: "User-agent: .*\n" + rest, want: "1:13 RX104", says: "Write *.", fixed: "User-agent: *\n" + rest, meaning: true},
		{name: "a version after a mark", body: "User-agent: \"CCBot\"/1.0\n" + rest, want: "1:13 RX104", says: "Write CCBot.", fixed: "User-agent: CCBot\n" + rest, meaning: true},
		{name: "a group with only a delay", body: "User-agent: *\nDisallow: /p/\n\nUser-agent: Google\nCrawl-delay: 5\n", want: "4:13 RX109", says: "Write Googlebot. Then the crawler ignores the rules for *: repeat here"},
		{name: "a group that only allows", body: "User-agent: *\nDisallow: /p/\n\nUser-agent: Google\nAllow: /a.css\n", want: "4:13 RX109", says: "Write Googlebot. Then the crawler ignores the rules for *: repeat here"},
		{name: "a company that another product shares its name with", body: "User-agent: Verity\n" + rest, want: "1:13 RX108", says: "not in our list"},
		{name: "User-agent twice", body: "User-agent: User-agent: GPTBot # note\n" + rest, want: "1:13 RX113", says: `User-agent is here twice, so this line applies to no crawler. Write User-agent: "GPTBot".`, fixed: "User-agent: GPTBot # note\n" + rest, meaning: true},
		{name: "User-agent three times", body: "User-agent: user-agent:User-Agent:\t*\n" + rest, want: "1:13 RX113", fixed: "User-agent: *\n" + rest, meaning: true},
		{name: "User-agent twice, without a name", body: "User-agent: User-agent:\n" + rest, want: "1:13 RX113", says: "Write the name of a crawler."},
		{name: "a rule instead of a name", body: "User-agent: Disallow: /\n" + rest, want: "1:13 RX113", says: `"Disallow: /" is on the same line as User-agent`},
		{name: "words on the next line", body: "User-agent:\nrules for all\n" + rest, want: "1:1 RX104", says: "the name of a crawler, or * for all"},
		{name: "a header with a right beginning", body: "User-agent: CCBot/2.0 (https://commoncrawl.org/faq/)\n" + rest, want: "1:13 RX107", says: "Write CCBot.", fixed: "User-agent: CCBot\n" + rest, meaning: true},
		{name: "a header of a crawler like Googlebot", body: "User-agent: Mozilla/5.0 (compatible; FooBot/0.1; like Googlebot)\n" + rest, want: "1:13 RX101, 1:13 RX107", says: `Google reads only "Mozilla"`},
	})
}
