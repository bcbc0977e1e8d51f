package browser_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var (
	update = flag.Bool("update", false, "write docs/page.png")
	folder = flag.Bool("folder", false, "test the folder that robots serve --export writes instead of the service")
	shots  = flag.String("shots", "", "write screenshots of failures into this `folder`")

	// A long deadline does no harm, because only a defect reaches it.
	deadline = flag.Duration("deadline", 2*time.Minute, "bounds each wait for a state of the page")
)

// variable names the environment variable with the path of a Chromium.
const variable = "ROBOTSTXT_BROWSER"

// shared is what all tests use: one browser, and the tool.
var shared struct {
	browser context.Context // of chromedp
	tool    string          // the path of the program robots
	service string          // the URL of a running robots serve
	folder  string          // with the exported page
	foreign recorder        // requests to other hosts, of the whole browser
}

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	path := os.Getenv(variable)
	if path == "" {
		fmt.Printf("%s is not set: the tests in a browser skip\n", variable)
		return m.Run()
	}
	made, err := os.MkdirTemp("", "browser-")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(made)
	shared.tool, shared.folder = filepath.Join(made, "robots"), filepath.Join(made, "page")
	if output, err := exec.Command("go", "build", "-buildvcs=false", "-o", shared.tool, "github.com/kosterhq/robotstxt/cmd/robots").CombinedOutput(); err != nil {
		fmt.Printf("the tool cannot be built: %v\n%s", err, output)
		return 1
	}
	if output, err := exec.Command(shared.tool, "serve", "--export", shared.folder).CombinedOutput(); err != nil {
		fmt.Printf("the page cannot be exported: %v\n%s", err, output)
		return 1
	}
	service, stopService, err := start()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer stopService()
	shared.service = service
	// The browser reaches other hosts through this proxy only, which reaches none.
	proxy := httptest.NewServer(&shared.foreign)
	defer proxy.Close()
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.UserDataDir(filepath.Join(made, "profile")),
		chromedp.ProxyServer(proxy.URL),
		chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("hide-scrollbars", false),
	}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to start as root otherwise
	}
	browser, stop := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(options...))
	defer stop()
	if err := chromedp.Do(browser); err != nil {
		fmt.Printf("%s does not start: %v\n", path, err)
		return 1
	}
	shared.browser = browser
	code := m.Run()
	hosts := slices.DeleteFunc(shared.foreign.hosts(), ofChromium.MatchString)
	if len(hosts) > 0 && code == 0 {
		fmt.Printf("the browser requested other hosts: %q\n", hosts)
		code = 1
	}
	return code
}

// ofChromium matches the hosts that Chromium itself contacts, whatever page is open. What
// pages load from, such as fonts.googleapis.com, is not among them.
var ofChromium = regexp.MustCompile(`^((accounts|clients\d*|www|redirector|safebrowsing)\.google\.com|[a-z0-9.-]*gvt1\.com|(update|content-autofill|optimizationguide-pa|safebrowsing|android\.clients|passwordsleakcheck-pa)\.(google|googleapis)\.com)(:\d+)?$`)

// recorder is a proxy that records and refuses every request.
type recorder struct {
	mu   sync.Mutex
	seen []string
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	r.seen = append(r.seen, request.Host)
	r.mu.Unlock()
	http.Error(w, "no other host is reachable in this test", http.StatusForbidden)
}

func (r *recorder) hosts() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(r.seen)))
}

// tab is a tab with a profile of its own.
type tab struct {
	*testing.T
	ctx        context.Context
	scriptless bool // no script of a page runs, also none that the test adds

	mu       sync.Mutex
	problems []string // errors of the console, exceptions, requests to other hosts
	expected []string // parts of problems that the test provokes
}

// newTab opens an empty tab. At the end of the test it reports the problems that no call
// of expect covers.
func newTab(t *testing.T) *tab {
	t.Helper()
	if shared.browser == nil {
		t.Skipf("%s is not set", variable)
	}
	ctx, cancel := chromedp.NewContext(shared.browser, chromedp.WithNewBrowserContext())
	p := &tab{T: t, ctx: ctx}
	t.Cleanup(func() {
		cancel()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, problem := range p.problems {
			if !slices.ContainsFunc(p.expected, func(part string) bool { return strings.Contains(problem, part) }) {
				t.Error(problem)
			}
		}
	})
	if err := chromedp.Listen(ctx, p.event); err != nil {
		t.Fatal(err)
	}
	call(p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return p
}

// expect says that problems with this part are the test's intention.
func (p *tab) expect(part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = append(p.expected, part)
}

func (p *tab) problem(format string, values ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, fmt.Sprintf(format, values...))
}

func (p *tab) event(event any) {
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		text := event.ExceptionDetails.Text
		if e := event.ExceptionDetails.Exception; e != nil {
			text += " " + e.Description
		}
		p.problem("exception: %s", text)
	case *runtime.EventConsoleAPICalled:
		if kind := string(event.Type); kind == "error" || kind == "warning" || kind == "assert" {
			var texts []string
			for _, arg := range event.Args {
				texts = append(texts, string(arg.Value)+arg.Description)
			}
			p.problem("console.%s: %s", kind, strings.Join(texts, " "))
		}
	case *log.EventEntryAdded:
		if level := string(event.Entry.Level); level == "error" || level == "warning" {
			p.problem("%s of %s: %s %s", level, event.Entry.Source, event.Entry.Text, event.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if !isOwn(event.Request.URL) {
			p.problem("request to another host: %s", event.Request.URL)
		}
	}
}

// isOwn reports whether a URL is of this machine, or of no host.
func isOwn(url string) bool {
	scheme, rest, _ := strings.Cut(url, ":")
	if scheme == "data" || scheme == "blob" || scheme == "about" || scheme == "file" {
		return true
	}
	authority, _, _ := strings.Cut(strings.TrimPrefix(rest, "//"), "/")
	host, _, err := net.SplitHostPort(authority)
	return err == nil && host == "127.0.0.1"
}

// do runs actions, and ends the test if one fails.
func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, *deadline)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

// call calls a method of the browser's protocol, and ends the test if that fails.
func call[P, R any](p *tab, method cdp.Command[P, R], params P) (result R) {
	p.Helper()
	p.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) (err error) {
		result, err = chromedp.Call(ctx, method, params)
		return err
	}))
	return result
}

// evaluate returns the value of a JavaScript expression, which may be a promise.
func evaluate[T any](p *tab, expression string) T {
	p.Helper()
	value, err := try[T](p, expression)
	if err != nil {
		p.Fatalf("%v in %s", err, expression)
	}
	return value
}

func try[T any](p *tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, *deadline)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise, chromedp.EvalAsValue))
}

// wait returns when a JavaScript expression is true. An exception counts as false: the
// page may be between two documents.
func (p *tab) wait(expression string) {
	p.Helper()
	waitValue(p, expression, "!!("+expression+")", func(is bool) bool { return is })
}

// waitValue returns when the value of a JavaScript expression has a property.
func waitValue[T any](p *tab, what, expression string, holds func(T) bool) {
	p.Helper()
	p.until(what, func() (bool, string) {
		value, err := try[T](p, expression)
		if err != nil {
			return false, err.Error()
		}
		return holds(value), fmt.Sprintf("%+v", value)
	})
}

// wantNone reports each text in the value of a JavaScript expression.
func (p *tab) wantNone(problem, expression string) {
	p.Helper()
	for _, text := range evaluate[[]string](p, expression) {
		p.Errorf("%s: %s", problem, text)
	}
}

// same reports a value that is not the wanted one.
func same[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %#v, want %#v", what, got, want)
	}
}

// writeFile writes a file for a test and returns its path.
func writeFile(t testing.TB, folder, name string, body []byte) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// runTool runs the tool in a folder. Its status must be 0 or 1: yes or no.
func runTool(t testing.TB, folder string, arguments ...string) (output string, status int) {
	t.Helper()
	command := exec.Command(shared.tool, arguments...)
	command.Dir = folder
	text, err := command.Output()
	status = command.ProcessState.ExitCode()
	if err != nil && status != 1 {
		t.Fatal(err)
	}
	return string(text), status
}

// until returns when a condition is true. The condition says what it saw otherwise.
func (p *tab) until(what string, condition func() (done bool, seen string)) {
	p.Helper()
	end := time.Now().Add(*deadline)
	for {
		done, seen := condition()
		if done {
			return
		}
		if time.Now().After(end) {
			p.Fatalf("waited in vain for: %s\n%s\n%s", what, seen, p.shot())
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-p.ctx.Done():
			p.Fatal(errors.New("the tab is closed"))
		}
	}
}

// shot writes a screenshot of a failure and returns its name, if -shots is set.
func (p *tab) shot() string {
	if *shots == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(p.ctx, *deadline)
	defer cancel()
	image, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return err.Error()
	}
	name := filepath.Join(*shots, strings.ReplaceAll(p.Name(), "/", "_")+".png")
	if err := os.WriteFile(name, image, 0o600); err != nil {
		return err.Error()
	}
	return name
}
