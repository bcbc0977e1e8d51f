package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/lint"
)

// The law of cost: a run on 480 KB takes below half a second of processor time, or at most six times
// that of a run on 120 KB and thirty times that of parsing and checking the file. Checking has an
// absolute bound, because everything else is compared with it.
const (
	smallBody  = 120_000
	largeBody  = 480_000
	cheapRun   = 500 * time.Millisecond
	costGrowth = 6
	costOfLint = 30
	dearLint   = 3 * time.Second
	slowestRun = 5 * time.Minute // of a clock: on a busy machine the dearest run has taken over a minute
	costRuns   = 3               // what breaks the law breaks it in each of these, one after the other
	endedAfter = 100 * time.Millisecond
)

// costVar is set by .ci/run, because a busy machine makes these tests fail.
const costVar = "ROBOTSTXT_COST"

// numbered returns a header and copies of lines, in which N is a number, up to a size.
func numbered(header, lines string) func(size int) string {
	return func(size int) string {
		var b strings.Builder
		b.WriteString(header)
		for i := 0; b.Len() < size; i++ {
			b.WriteString(strings.ReplaceAll(lines, "N", strconv.Itoa(i)))
		}
		return b.String()
	}
}

// halves returns two families, one after the other.
func halves(first, second func(int) string) func(size int) string {
	return func(size int) string { return first(size/2) + second(size/2) }
}

const forAll = "User-agent: *\n"

// costFamilies are bodies by their size, each made to be hard for some part of the tool.
var costFamilies = map[string]func(size int) string{
	"many preferences":               numbered(forAll, "Content-Usage: /pN train-ai=n\n"),
	"preferences of many agents":     halves(numbered("", "User-agent: aN\n"), numbered("", "Content-Signal: search=yes, ai-train=no\nContent-Usage: /pN train-ai=y\n")),
	"licences":                       numbered(forAll, "License: https://shop.example/N.xml\n"),
	"folders with an opening":        numbered(forAll, "Disallow: /N\nAllow: /N/x\n"),
	"parameters":                     numbered(forAll, "Disallow: /*?*=N&\nAllow: /*?*N=\n"),
	"percent codes":                  numbered(forAll, "Disallow: /%C3%A9N%2f\nAllow: /%c3%a9N%2Fx\n"),
	"slashes as codes":               numbered(forAll, "Disallow: /*a*N%2F\nAllow: /*%2F*Nb\n"),
	"several stars":                  numbered(forAll, "Disallow: /*aN*b*c\nAllow: /*c*aN*b$\n"),
	"wide allowances":                halves(numbered(forAll, "Allow: /*N*.css\n"), numbered("", "Disallow: /*N\n")),
	"few letters":                    numbered(forAll, "Disallow: /*a*a*ab\nAllow: /*aa*a*a\n"),
	"rules with different ends":      numbered(forAll, "Allow: /a*N$\nDisallow: /*aN\n"),
	"index pages":                    numbered(forAll, "Allow: /N/index.html\nDisallow: /N/\n"),
	"long prefixes":                  numbered(forAll, "Disallow: /"+strings.Repeat("ab", 500)+"N\nAllow: /"+strings.Repeat("ab", 500)+"N/x\n"),
	"groups of known crawlers":       numbered("", "User-agent: GPTBot\nDisallow: /aN\nUser-agent: ClaudeBot\nAllow: /bN\nDisallow: /*N\n"),
	"one list for many crawlers":     knownCrawlers,
	"copies for many crawlers":       copiesForCrawlers,
	"agents":                         halves(numbered("", "User-agent: a\nUser-agent: Gogglebot\nUser-agent: b c\n"), numbered("", "Allow: /x\n")),
	"different agents":               halves(numbered("", "User-agent: crawler-N\n"), numbered("", "Disallow: /N\n")),
	"groups":                         numbered("", "User-agent: crawler-N\nDisallow: /*N*x\n"),
	"agents beside a group for all":  halves(numbered(forAll+"Disallow: /x/\n\n", "User-agent: crawler-N\n"), numbered("", "Disallow: /aN\n")),
	"licences before groups":         halves(numbered("", "License: https://shop.example/N.xml\n"), numbered("", "User-agent: aN\nDisallow: /N\n")),
	"joined lists":                   numbered("", "User-agent: aN\nCrawl-delay: N\n"),
	"groups of one crawler":          numbered("", "User-agent: anthropic-ai\nAllow: /xN\n"),
	"misspelt keys":                  numbered(forAll, "Disalow: /abcN\nDissallow: /N\n"),
	"lost line breaks":               numbered("", "User-agent: aN Disallow: /N\n"),
	"names that are cut alike":       numbered("", "User-agent: aN\n"),
	"long line":                      numbered(forAll+"Disallow: /", `\naN:`),
	"names with blanks":              numbered(forAll, "Disallow: /a/bN c\nAllow: /a/bcN\n"),
	"parameters to clean":            halves(numbered(forAll, "Disallow: /*?aN\n"), numbered("", "Clean-param: aN /pN\n")),
	"ends of parameters":             numbered(forAll+"Disallow: x/\n", "Disallow: /*Nn=\nDisallow: /*idN=\nAllow: /paN\n"),
	"empty lines":                    numbered(forAll, "\n\n\nDisallow: /N\n"),
	"sitemaps":                       numbered(forAll, "Sitemap: https://shop.example/N.xml\nSitemap: /N\n"),
	"octets that are no text":        numbered(forAll, "Disallow: /\xE9\x00N\nDisallow: /\xEF\xBB\xBFN\n"),
	"a web page":                     numbered("<html>\n", "<p class=N>text\n"),
	"versions and headers":           numbered("", "User-agent: GPTBot/N\nUser-agent: Mozilla/5.0 (compatible; bingbot/N)\nDisallow: /N\n"),
	"equal rules":                    numbered(forAll, "Disallow: /x\nAllow: /x\nDisallow: /x*\n"),
	"comments":                       numbered("", "# User-agent: N\n#Disallow: /N\n"),
	"nested folders":                 nestedFolders,
	"empty rules and lost crawlers":  numbered("", "User-agent: Bot N\nDisallow:\nUser-agent: *\n"),
	"own groups below a shared list": ownGroups,
	"ten stars":                      numbered(forAll, "Disallow: /*a*b*c*d*e*f*g*h*i*N*\nAllow: /*N*j*i*h*g*f*e*d*c*b\n"),
	"ten stars of one letter":        numbered(forAll, "Disallow: /*a*a*a*a*a*a*a*a*a*N*\n"),
}

var someCrawlers = strings.Fields("GPTBot ClaudeBot CCBot Bytespider Amazonbot PerplexityBot OAI-SearchBot ChatGPT-User Googlebot bingbot Applebot Diffbot Google-Extended meta-externalagent YouBot DuckAssistBot")

func knownCrawlers(size int) string {
	return numbered("User-agent: "+strings.Join(someCrawlers, "\nUser-agent: ")+"\n", "Disallow: /*N*a\nAllow: /N*b\n")(size)
}

func copiesForCrawlers(size int) string {
	var b strings.Builder
	for _, crawler := range someCrawlers {
		b.WriteString(numbered("User-agent: "+crawler+"\n", "Disallow: /*N*a\nAllow: /N*b\n")(size / len(someCrawlers)))
	}
	return b.String()
}

// ownGroups is a list for many crawlers, each of which has rules of its own too.
func ownGroups(size int) string {
	var b strings.Builder
	for i, crawler := range someCrawlers {
		fmt.Fprintf(&b, "User-agent: %s\nDisallow: /own%d\n", crawler, i)
	}
	return knownCrawlers(size-b.Len()) + b.String()
}

func nestedFolders(size int) string {
	var b strings.Builder
	b.WriteString(forAll)
	for i := 1; b.Len() < size; i = i%300 + 1 {
		fmt.Fprintf(&b, "%s: %s\n", []string{"Allow", "Disallow"}[i%2], strings.Repeat("/a", i))
	}
	return b.String()
}

// costCommands are the commands that read a file, by their arguments: F is the file, G the file
// without its last lines, E a list of expectations, D a folder with the file, L an access log, W a
// web archive with the file, H a new folder. lsp reads a session on standard input.
var costCommands = []string{
	"ai F", "ai --json F", "ai --each --format csv F", "overview F",
	"overview --format html --before G F", "overview --format markdown F", "lint F", "lint --format json F", "lint --fix=all --diff F",
	"lint --profile yandex --format sarif F", "fmt --diff F", "fmt --check F", "minimize F", "minimize --diff F",
	"generate --no ai-training,ai-fetch=/members/ --signals content-usage --into F --diff", "check --file F --agent GPTBot /1 /x/2?a=3",
	"check --json --file F --agent GPTBot,Googlebot /1", "explain --file F --agent GPTBot /1", "explain --json --file F /1/x", "diff F G", "diff --json G F",
	"test --file F E", "permit --file F https://shop.example/1", "permit --json --operator OpenAI --file F https://shop.example/1", "audit D",
	"visits --json --site https://shop.example --served-since 2026-11-01 --file F L", "history import --history H --warc W", "history --history H shop.example", "lsp",
}

// costCompare are both ways to compare files, which read their names of crawlers in two dialects, and costAlways the
// families that each sample has with them.
var costCompare = []string{"diff F G", "/v1/diff"}

var costAlways = []string{"preferences of many agents", "licences before groups", "joined lists", "lost line breaks",
	"names that are cut alike", "groups"}

// costless are the commands and calls that get no robots.txt, or only from a site. A site's file is
// read by the code of the others.
var costless = strings.Fields("cache cache/list cache/stats cache/purge cache/show crawlers crawlers/compare fetch man policy " +
	"serve version visits/lists watch /v1/crawlers /v1/fetch /v1/sitemap")

// costCalls are the calls of the service that read a file, by their requests: "F" is the file.
var costCalls = map[string]string{
	"check":       `{"agents":["GPTBot"],"urls":["https://shop.example/1","https://shop.example/x?a=2"],"body":"F"}`,
	"explain":     `{"agents":["GPTBot"],"urls":["https://shop.example/1"],"body":"F"}`,
	"lint":        `{"body":"F","fix":"all"}`,
	"format":      `{"body":"F"}`,
	"diff":        `{"before":"F","after":"User-agent: *\nDisallow: /1\n"}`,
	"ai":          `{"body":"F"}`,
	"generate":    `{"body":"F","no":["ai-training","ai-fetch=/members/"],"yes":["search"]}`,
	"permit":      `{"url":"https://shop.example/1","body":"F","header":[],"page":{},"tdmrep":"[]"}`,
	"diagnostics": `{"body":"F"}`,
	"outline":     `{"body":"F"}`,
	"hover":       `{"body":"F","line":1,"character":3}`,
	"complete":    `{"body":"F","line":2,"character":3}`,
	"tokens":      `{"body":"F"}`,
	"symbols":     `{"body":"F"}`,
	"urls":        `{"text":"F"}`,
	"remarks":     `{"agents":["F"],"urls":["F"]}`,
	"resources":   `{"url":"https://shop.example/","html":"F"}`,
}

// cost is the processor time of a run of a command or call on bodies of a family.
type cost struct {
	what, family       string
	small, large, lint time.Duration
}

func (c *cost) String() string {
	return fmt.Sprintf("%-60s %-32s 480 KB %4d ms, 120 KB %4d ms, parse and lint %4d ms", c.what, c.family, c.large.Milliseconds(), c.small.Milliseconds(), c.lint.Milliseconds())
}

// verdict returns which part of the law is broken, "" if none is.
func (c *cost) verdict() string {
	switch {
	case c.large < cheapRun:
		return ""
	case c.large > costGrowth*c.small:
		return "it is not linear"
	case c.large > costOfLint*c.lint:
		return "it is much dearer than checking the file"
	}
	return ""
}

// meter runs commands and calls.
type meter struct {
	t       *testing.T
	folder  string
	pair    string // what is measured, for messages
	service *service
	lint    map[string]time.Duration // the time of parsing and checking, by family
}

type service struct {
	*exec.Cmd
	address string
}

// serve starts a service.
func (m *meter) serve(flags ...string) *service {
	m.t.Helper()
	cmd := m.command(append([]string{"serve", "--listen", "127.0.0.1:0", "--admin", "none", "--cache", "none", "--log", "none"}, flags...))
	out, err := cmd.StdoutPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		m.t.Fatal(err)
	}
	return &service{cmd, strings.TrimSpace(line)}
}

func (m *meter) command(args []string) *exec.Cmd {
	ctx := m.t.Context()
	if args[0] != "serve" {
		bounded, cancel := context.WithTimeout(ctx, slowestRun)
		m.t.Cleanup(cancel)
		ctx = bounded
	}
	cmd := exec.CommandContext(ctx, "robots", args...)
	cmd.Dir, cmd.Env = m.folder, append(os.Environ(), "XDG_CACHE_HOME="+m.folder, "HOME="+m.folder)
	return cmd
}

// files writes the files that commands read, and returns their names by their letters.
func (m *meter) files(body string) map[string]string {
	m.t.Helper()
	cut := strings.LastIndexByte(strings.TrimSuffix(body, "\n"), '\n') + 1
	var hits strings.Builder
	for i := range 100 {
		fmt.Fprintf(&hits, "192.0.2.1 - - [22/Nov/2026:10:00:00 +0000] \"GET /%d?a=%d HTTP/1.1\" 200 9 \"-\" \"Mozilla/5.0 (compatible; GPTBot/1.2)\"\n", i, i)
	}
	names := map[string]string{"F": "robots.txt", "G": "other.robots.txt", "E": "shop.robots-test", "D": "sites", "L": "access.log",
		"W": "crawl.warc", "H": "history"}
	for name, text := range map[string]string{
		"robots.txt": body, "other.robots.txt": body[:cut], "sites/shop.example.txt": body, "access.log": hits.String(),
		"shop.robots-test": "agents: GPTBot\nallow: /1\ndeny: /2\nallow-all: /x\ndeny-all: /1\n",
		"crawl.warc": "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://shop.example/robots.txt\r\n" +
			"WARC-Date: 2026-11-22T10:00:00Z\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body + "\r\n\r\n",
	} {
		name = filepath.Join(m.folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			m.t.Fatal(err)
		}
		write(m.t, name, text)
	}
	if err := os.RemoveAll(filepath.Join(m.folder, names["H"])); err != nil {
		m.t.Fatal(err)
	}
	return names
}

// run returns the processor time of a run of a command on a body.
func (m *meter) run(command, body string) time.Duration {
	m.t.Helper()
	files := m.files(body)
	args := strings.Fields(command)
	for i, arg := range args {
		if file, ok := files[arg]; ok {
			args[i] = file
		}
	}
	if strings.HasPrefix(command, "history --") { // it reads what was imported
		if out, err := m.command([]string{"history", "import", "--history", files["H"], "--warc", files["W"]}).CombinedOutput(); err != nil {
			m.t.Fatalf("%v\n%s", err, out)
		}
	}
	cmd := m.command(args)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	run := cmd.Run
	if command == "lsp" {
		run = func() error { return m.edit(cmd, body) }
	}
	if err := run(); err != nil && (cmd.ProcessState == nil || !cmd.ProcessState.Exited() ||
		cmd.ProcessState.ExitCode() > 2 || strings.Contains(errors.String(), "unknown flag")) {
		m.t.Fatalf("robots %s: %v\n%s", m.pair, err, &errors)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// edit is the session of an editor that opens a file, waits for its findings, and ends.
func (m *meter) edit(lsp *exec.Cmd, body string) error {
	in, err := lsp.StdinPipe()
	if err != nil {
		return err
	}
	out, err := lsp.StdoutPipe()
	if err != nil {
		return err
	}
	if err := lsp.Start(); err != nil {
		return err
	}
	send := func(message string) {
		_, err = fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	text, _ := json.Marshal(strings.ToValidUTF8(body, "?"))
	file := `"uri":"file:///shop/robots.txt"`
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{` + file + `,"languageId":"robotstxt","version":1,"text":` + string(text) + `}}}`)
	for i, of := range []string{"documentSymbol", "foldingRange", "codeLens", "semanticTokens/full", "formatting"} {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/%s","params":{"textDocument":{%s},"options":{"tabSize":2,"insertSpaces":true}}}`, i+2, of, file))
	}
	answers := bufio.NewReaderSize(out, 2*largeBody)
	for found, length := false, 0; err == nil && !found; {
		var line string
		line, err = answers.ReadString('\n')
		if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			length, _ = strconv.Atoi(strings.TrimSpace(n))
		} else if strings.TrimSpace(line) == "" && length > 0 {
			answer := make([]byte, length)
			_, err = io.ReadFull(answers, answer)
			found = bytes.Contains(answer, []byte("textDocument/publishDiagnostics"))
		}
	}
	if err != nil {
		m.t.Errorf("robots lsp: %v", err)
	}
	send(`{"jsonrpc":"2.0","id":9,"method":"shutdown"}`)
	send(`{"jsonrpc":"2.0","method":"exit"}`)
	_, _ = io.Copy(io.Discard, answers)
	return lsp.Wait()
}

// request returns the request of a call about a body.
func (m *meter) request(ctx context.Context, to *service, name, body string) *http.Request {
	m.t.Helper()
	text, err := json.Marshal(strings.ToValidUTF8(body, "?"))
	if err != nil {
		m.t.Fatal(err)
	}
	return m.post(ctx, to, name, strings.ReplaceAll(costCalls[name], `"F"`, string(text)))
}

// post returns the request of a call with a content.
func (m *meter) post(ctx context.Context, to *service, name, content string) *http.Request {
	m.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.address+"v1/"+name, strings.NewReader(content))
	if err != nil {
		m.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return r
}

// call returns the processor time of the service for a call about a body.
func (m *meter) call(name, body string) time.Duration {
	m.t.Helper()
	before := m.service.used()
	answer, err := http.DefaultClient.Do(m.request(m.t.Context(), m.service, name, body))
	if err != nil {
		m.t.Fatalf("/v1/%s: %v", name, err)
	}
	defer answer.Body.Close()
	first, _ := io.ReadAll(io.LimitReader(answer.Body, 1000))
	_, _ = io.Copy(io.Discard, answer.Body)
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusRequestEntityTooLarge &&
		answer.StatusCode != http.StatusUnprocessableEntity {
		m.t.Errorf("/v1/%s: %s %s", name, answer.Status, first)
	}
	return m.service.used() - before
}

// used returns the processor time that the service has used, from the kernel's counts of its threads.
func (s *service) used() (sum time.Duration) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.Process.Pid))
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		nanoseconds, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseInt(nanoseconds, 10, 64)
		sum += time.Duration(n)
	}
	return sum
}

// measure measures a command, or a call if it begins with a slash. What breaks the law is measured
// again, both sizes: one of them alone may have been lucky.
func (m *meter) measure(what, family string) (c cost) {
	run, lint := m.run, m.lint[family]
	m.pair = what + ", " + family
	if name, isCall := strings.CutPrefix(what, "/v1/"); isCall {
		what, run = name, m.call
	} else if what == onlyLint {
		run, lint = m.parseAndLint, dearLint/costOfLint
	}
	large, small := costFamilies[family](largeBody), costFamilies[family](smallBody)
	for range costRuns {
		c = cost{what: what, family: family, large: run(what, large), lint: lint}
		if c.large >= cheapRun {
			c.small = run(what, small)
		}
		if c.verdict() == "" {
			break
		}
	}
	return c
}

func init() { programs["parse-and-lint"] = parseAndLint }

// parseAndLint is a program that parses and checks a file, and prints the processor time of that.
func parseAndLint() {
	body, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	used := func() int64 {
		var usage syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
		return usage.Utime.Nano() + usage.Stime.Nano()
	}
	before := used()
	robotstxt.Parse(body)
	lint.Check(body, lint.Config{})
	fmt.Print(used() - before)
}

// parseAndLint returns the processor time of parsing and checking a body.
func (m *meter) parseAndLint(_, body string) time.Duration {
	m.t.Helper()
	name := filepath.Join(m.folder, "checked.robots.txt")
	write(m.t, name, body)
	text, err := exec.CommandContext(m.t.Context(), "parse-and-lint", name).Output()
	used, wrong := strconv.ParseInt(string(text), 10, 64)
	if err != nil || wrong != nil {
		m.t.Fatal(err, wrong)
	}
	return time.Duration(used)
}

// costPairs returns pairs of a command or call and a family: all, or each command and each family at
// least three times, chosen by a seed.
func costPairs(seed uint64, all bool) (pairs [][2]string) {
	whats := slices.Clone(costCommands)
	for _, name := range slices.Sorted(maps.Keys(costCalls)) {
		whats = append(whats, "/v1/"+name)
	}
	families := slices.Sorted(maps.Keys(costFamilies))
	if all {
		for _, what := range whats {
			for _, family := range families {
				pairs = append(pairs, [2]string{what, family})
			}
		}
		return pairs
	}
	for _, family := range costAlways {
		for _, what := range costCompare {
			pairs = append(pairs, [2]string{what, family})
		}
	}
	whats = slices.DeleteFunc(whats, func(what string) bool { return slices.Contains(costCompare, what) })
	random := rand.New(rand.NewPCG(seed, 0))
	for range 3 { // each command and each family
		random.Shuffle(len(whats), func(i, j int) { whats[i], whats[j] = whats[j], whats[i] })
		random.Shuffle(len(families), func(i, j int) { families[i], families[j] = families[j], families[i] })
		for i := range max(len(whats), len(families)) {
			pairs = append(pairs, [2]string{whats[i%len(whats)], families[i%len(families)]})
		}
	}
	return pairs
}

// TestCost holds the law of cost, for a sample of pairs of a command or call and a family of bodies,
// or for all pairs with ROBOTSTXT_LONG. It prints the five dearest pairs. The five dearest calls stop
// soon when they are abandoned or time out.
func TestCost(t *testing.T) {
	if os.Getenv(costVar) == "" {
		t.Skip(costVar + " is not set")
	}
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(costVar); text != "1" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	t.Logf("%s=%d chooses the same pairs", costVar, seed)
	lints := map[string]time.Duration{}
	for _, c := range measureAll(t, "lint", nil, lintPairs()) {
		lints[c.family] = c.large
	}
	all := os.Getenv("ROBOTSTXT_LONG") != ""
	costs := measureAll(t, "commands", lints, costPairs(seed, all))
	var dearest []cost
	for _, c := range costs {
		if _, isCall := costCalls[c.what]; isCall && len(dearest) < 5 {
			dearest = append(dearest, c)
		}
	}
	m := &meter{t: t, folder: t.TempDir()}
	left, late := m.serve(), m.serve("--timeout", (endedAfter/2).String()) // an answer has twice as long
	var ends sync.WaitGroup                                                // they wait more than they compute
	ends.Go(func() { m.endAll(left, dearest, endedAfter, "its client has gone") })
	ends.Go(func() { m.endAll(late, dearest, slowestRun, "its time was over") })
	costOfValues(t, seed, all)
	ends.Wait()
}

// lintPairs returns the pairs that measure parsing and checking alone, whose bound is dearLint.
func lintPairs() (pairs [][2]string) {
	for _, family := range slices.Sorted(maps.Keys(costFamilies)) {
		pairs = append(pairs, [2]string{onlyLint, family})
	}
	return pairs
}

const onlyLint = "parse and lint"

// measureAll measures pairs, on as many goroutines as there are processors: what is measured is the time of
// processors. It returns the costs, the dearest first, and prints five.
func measureAll(t *testing.T, name string, lints map[string]time.Duration, pairs [][2]string) (costs []cost) {
	queue := make(chan [2]string, len(pairs))
	for _, pair := range pairs {
		queue <- pair
	}
	close(queue)
	var mu sync.Mutex
	t.Run(name, func(t *testing.T) {
		for i := range runtime.NumCPU() {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				m := &meter{t: t, folder: t.TempDir(), lint: lints}
				if lints != nil {
					m.service = m.serve()
				}
				for pair := range queue {
					c := m.measure(pair[0], pair[1])
					if broken := c.verdict(); broken != "" {
						t.Errorf("%s: %v", broken, &c)
					}
					mu.Lock()
					costs = append(costs, c)
					mu.Unlock()
				}
			})
		}
	})
	slices.SortFunc(costs, func(a, b cost) int { return cmp.Compare(b.large, a.large) })
	for i := range costs[:min(5, len(costs))] {
		t.Logf("%v", &costs[i])
	}
	return costs
}

// endAll sends calls one after the other, waits for each for a time, and wants the service to need at most a second
// of processor time more, or that of two checks of the file. A busy machine takes longer, but computes no more.
func (m *meter) endAll(to *service, calls []cost, patience time.Duration, why string) {
	m.t.Helper()
	for _, c := range calls {
		began := to.used()
		ctx, cancel := context.WithTimeout(m.t.Context(), patience)
		request := m.request(ctx, to, c.what, costFamilies[c.family](largeBody))
		if answer, err := http.DefaultClient.Do(request); err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
		cancel()
		for used, idle := began, 0; idle < 3; {
			time.Sleep(100 * time.Millisecond)
			now := to.used()
			if idle++; now-used > 10*time.Millisecond {
				idle = 0
			}
			used = now
		}
		// A check of the file is the longest unit of work.
		most := max(time.Second, 2*c.lint) + endedAfter*time.Duration(runtime.NumCPU())
		if used := to.used() - began; used > most {
			m.t.Errorf("/v1/%s, %s: %v of processor time, although after %v %s", c.what, c.family, used, endedAfter, why)
		}
	}
}

// TestCostNamesAll: each command and each call is in the law of cost, or listed as one that reads no
// file.
func TestCostNamesAll(t *testing.T) {
	measured := func(name string) bool {
		if call, isCall := strings.CutPrefix(name, "/v1/"); isCall {
			return costCalls[call] != ""
		}
		return slices.ContainsFunc(costCommands, func(command string) bool {
			return strings.HasPrefix(command+" ", strings.ReplaceAll(name, "/", " ")+" ")
		})
	}
	var names []string
	for _, cmd := range allCommands()[1:] {
		if name := strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "robots "), " ", "/"); !isOfCobra(name) {
			names = append(names, name)
		}
	}
	m := &meter{t: t, folder: t.TempDir()}
	answer, err := http.Get(m.serve().address + "openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var api struct{ Paths map[string]any }
	if err := json.NewDecoder(answer.Body).Decode(&api); err != nil {
		t.Fatal(err)
	}
	names = slices.AppendSeq(names, maps.Keys(api.Paths))
	for _, name := range names {
		if measured(name) == slices.Contains(costless, name) {
			t.Errorf("%s must be either measured or in costless", name)
		}
	}
	for _, name := range costless {
		if !slices.Contains(names, name) {
			t.Errorf("there is no %s", name)
		}
	}
}
