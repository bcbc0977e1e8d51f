package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/pflag"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/serve"
)

// libraryWords are words of Go and of its libraries, which mean nothing to the users of a tool. A process that a test
// starts does not need them.
var libraryWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(^|: |\(|; )((archive|compress|encoding|net)/)?(json|flate|gzip|zlib|zip|tar|bufio|strconv|net|http2?|tls|x509|zstd|lz4|yaml|xml|csv|parquet|sqlite3?|` +
			`syscall|context|io|os|fs|time|url|textproto|base64|template|runtime|errors|readat|stat|lstat|mkdir|fork/exec)(: | /)` +
			`|\b(dial|read|write|proxyconnect|socks connect) (tcp|udp|unix)|\bEOF\b|\bi/o timeout|(^|: )no such host\b|\bcontext (canceled|deadline)` +
			`|\bclosed network connection|\bunexpected end of JSON|\bcannot unmarshal|looking for beginning of|\bafter (object key|array element|top-level value)` +
			`|\binvalid character '|\bnegative offset|\btoken too long|\bdecoder used after|\bmagic\b|\bmalformed (HTTP|MIME|chunked)|\bGOAWAY` +
			`|\bstream (error|ID)|\bPROTOCOL_ERROR|\b[a-z]+\.[A-Z]\w+\(|\b0xc?0{2}|\bgoroutine\b|runtime error|%!|<nil>|\.go:\d|\bgot \[` +
			`|\bSQLITE_|\bbare " in|\bwrong number of fields\b|\bextraneous or missing|\bparsing "`)
})

// quoted are quotations: the words of a site or of a file, which are printed as they are.
var quoted = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)

// fileNames are the names of the files and of Go's temporary folders, whose suffixes are names of packages.
var fileNames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\w/-]*\b(tdmrep\.json|[a-z0-9]+\.(gz|zst|bz2|zip|xz|parquet|jsonl?|csv|yaml|db|xml|warc|tar|txt|log|robots-test))\b`)
})

// damagedFiles are files of every format that a command reads, each damaged in some way.
func damagedFiles(t *testing.T) map[string]string {
	t.Helper()
	packed := func(pack func(io.Writer) io.WriteCloser, text string) string {
		var to bytes.Buffer
		w := pack(&to)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return to.String()
	}
	text := strings.Repeat("https://shop.example/a\nhttps://shop.example/b\n", 50)
	gz := packed(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, text)
	zst := packed(func(w io.Writer) io.WriteCloser {
		encoder, err := zstd.NewWriter(w)
		if err != nil {
			t.Fatal(err)
		}
		return encoder
	}, text)
	var archive, tape bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create("access.log")
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	r := tar.NewWriter(&tape)
	if r.WriteHeader(&tar.Header{Name: "shop.example.txt", Size: 100, Mode: 0o644, Typeflag: tar.TypeReg}) != nil {
		t.Fatal("tar")
	}
	directory := strings.Index(archive.String(), "PK\x01\x02")
	inDirectory := func(at int) string {
		return archive.String()[:directory+at] + "\x09" + archive.String()[directory+at+1:]
	}
	damage := func(text string, at int) string { return text[:at] + "\xff\xff\xff\xff\xff\xff\xff\xff" + text[at+8:] }
	warc := "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://shop.example/robots.txt\r\nContent-Length: "
	return map[string]string{
		"none.gz": "\x1f\x8b", "head.gz": "\x1f\x8b\x08\xff\xff", "data.gz": damage(gz, 20), "sum.gz": damage(gz, len(gz)-8),
		"cut.gz": gz[:len(gz)/2], "after.gz": gz + "\x1f\x8b\x07x", "garbage.zst": "\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff",
		"data.zst": damage(zst, 12), "cut.zst": zst[:len(zst)-5], "none.zst": "\x28\xb5\x2f\xfd", "bad.bz2": "BZh91AY&SYxxxxxxxxxxxxxx", "head.bz2": "BZh9xxxxxxxx",
		"bad.zip": damage(archive.String(), 45), "cut.zip": archive.String()[:40], "method.zip": "PK\x03\x04\x14\x00\x00\x00\x63\x00" + strings.Repeat("\x00", 40),
		"flags.zip": inDirectory(8), "unknown.zip": inDirectory(10), "sum.zip": inDirectory(16), "place.zip": inDirectory(44),
		"bad.xz": "\xfd7zXZ\x00xx", "bad.parquet": "PAR1xxxxxxxxPAR1", "cut.parquet": "PAR1", "size.parquet": "PAR1xxxxxxxx\xff\xff\xff\x7fPAR1",
		"cut.json": `{"a":`, "kinds.json": `{"host":3,"status":"x","version":"1","findings":3,"body":[]}`, "number.json": "7", "list.json": "[{\"a\":1},{]", "two.json": `{"version":1}{`,
		"bad.jsonl": "{\"host\":\"shop.example\",\"body\":3}\n{\"host\":\"shop.example\",\"body_base64\":\"?\"}\n{\"host\":\n{}\n{\"url\":\"http://a b/\"}\n[1,2\n",
		"bad.csv":   "host,body\na\"b,\"x\n", "rows.csv": "url,host,status\nhttps://a.example/robots.txt,1\n,,,,\n", "number.csv": "host,status,body\na.example,99999999999999999999,x\n",
		"quotes.csv": "\"a\"b,c\n\"", "bad.yaml": "a: [\n  - b: {", "kinds.yaml": "robots: [1]\nexclude: {a: b}\nseverity: 3\nprofile: []\n", "anchor.yaml": "a: *b\n",
		"bad.db": "SQLite format 3\x00xxxx", "page.db": "SQLite format 3\x00" + strings.Repeat("\xff", 8176), "bad.xml": "<urlset><a></b>", "cut.xml": "<urlset><url><loc>http://a.exa",
		"entity.xml": "<urlset>&x;</urlset>", "charset.xml": `<?xml version="1.0" encoding="x-y"?><urlset/>`, "name.xml": "<urlset><1/></urlset>",
		"length.warc": warc + "99999999999999999999999\r\n\r\n", "cut.warc": warc + "100\r\n\r\nHTTP/1.1 200 OK\r\n", "http.warc": warc + "14\r\n\r\n" + siteWords + "\r\n\r\n\r\n",
		"coding.warc": warc + "69\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: x\r\n\r\nx\r\n\r\n\r\n",
		"cut.tar":     tape.String(), "bad.tar": damage(tape.String(), 148), "long.txt": strings.Repeat("x", 200_000), "zeros.txt": strings.Repeat("\x00", 5000), "empty": "",
		"utf16.txt": "\xff\xfea\x00\n", "bad.log": "127.0.0.1 - - [99/Foo/2026] \"GET\n", "bad.robots-test": "robots: \xff\nagents: a b c\nallow: ::\n",
		"list.robots-test": "robots: cut.gz\nagents: GPTBot\nallow: /\n",
	}
}

// reasonRun is a run of the tool.
type reasonRun struct {
	args []string
	in   string
}

// checkReasons runs the tool, and fails for words of a library in what it prints outside of quotations. It returns
// what was printed.
func checkReasons(t *testing.T, seen map[string]bool, r reasonRun) (printed string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	var out, errs bytes.Buffer
	run(ctx, r.args, func(string) string { return "" }, strings.NewReader(r.in), &out, &errs)
	printed = out.String() + errs.String()
	for line := range strings.Lines(fileNames().ReplaceAllString(strings.ReplaceAll(printed, siteWords, ""), "FILE")) {
		bare := quoted.ReplaceAllString(strings.TrimRight(line, "\n"), `""`)
		if word := libraryWords().FindString(bare); word != "" {
			if !seen[bare] {
				t.Errorf("robots %q has %q in %.400s", r.args, word, strings.TrimRight(line, "\n"))
			}
			seen[bare] = true
		}
	}
	return printed
}

// TestReasonsOfFiles gives each argument and each flag that names a file a damaged file of each format. The reasons
// that the tool prints are its own words.
func TestReasonsOfFiles(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, filepath.Join(folder, ".user"))
	}
	damaged := damagedFiles(t)
	for name, text := range damaged {
		write(t, filepath.Join(folder, name), text)
	}
	write(t, filepath.Join(folder, "robots.txt"), "User-agent: *\nDisallow: /\n")
	write(t, filepath.Join(folder, "shop.robots-test"), "agents: GPTBot\ndeny: /\n")
	write(t, filepath.Join(folder, "access.log"), "")
	arguments := map[string][]string{ // beside the file
		"check": {"--file", "robots.txt", "/"}, "explain": {"--file", "robots.txt", "/"}, "permit": {"--file", "robots.txt", "https://shop.example/"},
		"diff": {"robots.txt", "robots.txt"}, "test": {"shop.robots-test"}, "lint": {"robots.txt"}, "fmt": {"--check", "robots.txt"},
		"visits": {"access.log"}, "audit": {"robots.txt"}, "ai": {"robots.txt"}, "minimize": {"robots.txt"}, "overview": {"robots.txt"},
		"generate": {"--no=ai-training", "--diff"}, "watch": {"--once", "--timeout=10ms", "127.0.0.1:1"}, "fetch": {"--timeout=10ms", "127.0.0.1:1"},
		"serve": {"--export", "robots.txt"},
	}
	var runs []reasonRun
	for name := range damaged {
		for _, cmd := range allCommands() {
			path := strings.Fields(cmd.CommandPath())[1:]
			if cmd.RunE == nil || len(path) == 0 || isOfCobra(path[0]) || path[0] == "lsp" {
				continue
			}
			if !slices.Contains(siteCommands, cmd.Name()) && cmd.Name() != "serve" {
				last := []string{name}
				if cmd.Name() == "diff" {
					last = append(last, "robots.txt")
				}
				runs = append(runs, reasonRun{args: slices.Concat(path, last)})
			}
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				if kind := kindOf(cmd.Name(), f.Name); kind.file == nil || kind.isOutput {
					return
				}
				args := slices.Concat(path, []string{"--" + f.Name, name}, arguments[cmd.Name()])
				runs = append(runs, reasonRun{args: args})
			})
		}
		for _, args := range []string{"check --file robots.txt --format sitemap --urls", "check --file robots.txt --format log --urls",
			"check --file robots.txt --format csv --urls", "audit --json", "audit --hosts", "history import --history h --warc",
			"history import --history h2 --csv", "visits --evidence-check", "lint --json --file", "cache list --cache", "cache stats --cache", "history --history"} {
			runs = append(runs, reasonRun{args: append(strings.Fields(args), name)})
		}
		for _, command := range []string{"check --file robots.txt --urls -", "lint -", "test -", "fmt -", "visits -", "audit -", "overview -"} {
			runs = append(runs, reasonRun{strings.Fields(command), damaged[name]})
		}
	}
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		runs = sampled(t, runs)
	}
	checkAll(t, runs)
}

// slow are commands that take long to start: a sample of their runs is enough, as of commands that read each file
// in the same way.
var (
	slow    = regexp.MustCompile(`^audit`)
	readers = regexp.MustCompile(`^(check --file robots.txt --urls|check --file robots.txt --format \w+ --urls|lint --baseline|crawlers compare|visits` +
		`|fmt --config|history import --history \w+ --(warc|csv)) [^ ]+( robots.txt| --check robots.txt)?$`)
)

func sampled(t *testing.T, runs []reasonRun) (some []reasonRun) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, run := range runs {
		share := 40
		switch line := strings.Join(run.args, " "); {
		case readers.MatchString(line):
			share = 1
		case slow.MatchString(line):
			share = 100
		}
		if random.IntN(share) == 0 {
			some = append(some, run)
		}
	}
	return some
}

// checkAll checks runs, and logs how many print nothing.
func checkAll(t *testing.T, runs []reasonRun) {
	t.Helper()
	seen, silent := map[string]bool{}, 0
	for _, run := range runs {
		if checkReasons(t, seen, run) == "" {
			silent++
		}
	}
	t.Logf("%d runs, %d without output", len(runs), silent)
}

// hostileAnswers returns what servers send instead of a response of HTTP, of a proxy, or of a cache. As a variable, its
// megabytes would be made by every process that a test starts.
func hostileAnswers() []string {
	return []string{
		"", "hello\r\n", "\x00\x01\x02", "SSH-2.0-OpenSSH\r\n", "\x15\x03\x01\x00\x02\x02\x28", "220 ftp ready\r\n",
		"-ERR EOF: tls: x509: no\r\n", "-WRONGPASS no\r\n", "+OK\r\n", "$99999999999\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/x 200 OK\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nab",
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nab",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\nab",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;" + strings.Repeat("x", 9000) + "\r\nab", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcdefgh",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\nabcde0\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nbad trailer\r\n\r\n", "HTTP/1.1 200 OK\r\nA b: c\r\n\r\n",
		"HTTP/1.1 200 OK\r\n A: c\r\n\r\n", "HTTP/1.1 200 OK\r\n: c\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\x00b\r\n\r\nok", "HTTP/1.1 200 OK\r\nx\r\n\r\n",
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", 2_000_000) + "\r\n\r\n", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 20), "HTTP/1.1 101 Switching\r\n\r\n",
		"HTTP/1.1 301 x\r\n\r\n", "HTTP/1.1 301 x\r\nLocation: :::\r\n\r\n", "HTTP/1.1 301 x\r\nLocation: http://[::1\r\n\r\n", "HTTP/1.1 301 x\r\nLocation: http://a%zz/\r\n\r\n",
		"HTTP/1.1 301 x\r\nLocation: http://x:99999/\r\n\r\n", "HTTP/1.1 301 x\r\nLocation: mailto:a@b\r\n\r\n", "HTTP/1.1 301 x\r\nLocation: http://" + strings.Repeat("a", 300) + ".example/\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nplain text here", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + strings.Repeat("\xff", 50),
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x01\x02\x03\x04\x05\x06\x07\x08",
		"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\xff\xff\xff", "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n\xff\xff\xff", "HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n\x28\xb5\x2f\xfd\xff\xff\xff",
		"HTTP/1.1 407 no\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Encoding: tls: x509: EOF\r\n\r\nabc",
		"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{]",
	}
}

// siteWords are what a server says, which is printed as it is.
const siteWords = "tls: x509: EOF"

// hostileFTP returns what servers of FTP send, at once.
func hostileFTP() []string {
	return []string{
		"", "hello\r\n", "\x00\xff", "999999 x\r\n", "421 tls: x509: EOF\r\n", "220-a\r\n", "220 a\r\n530 tls: x509: EOF\r\n", "220 a\r\n331", "220 " + strings.Repeat("x", 100_000) + "\r\n",
		ftpReady + "227 )1,2,3,4,5,6(\r\n", ftpReady + "227 (1,2,3,4,999,6)\r\n", ftpReady + "227 (1,2,3)\r\n", ftpReady + "227 (127,0,0,1,0,1)\r\n", ftpReady + "229 (|||x|)\r\n",
		ftpReady + "229 )|||1|(\r\n", ftpReady + "229 (|||1|)\r\n", ftpReady + "550 tls: x509: EOF\r\n", ftpReady + "229 (|||99999999999999999999|)\r\n",
	}
}

const ftpReady = "220 a\r\n331 b\r\n230 c\r\n200 d\r\n"

// answering starts a server that answers each connection with a text: at once, or when it was asked.
func answering(t *testing.T, text string, atOnce bool) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
				if !atOnce {
					_, _ = conn.Read(make([]byte, 64<<10))
				}
				_, _ = io.WriteString(conn, text)
				if atOnce {
					_, _ = io.Copy(io.Discard, conn)
				}
			}()
		}
	}()
	return listener.Addr().String()
}

// TestReasonsOfServers: a site, a proxy, a cache and a webhook that answer in every wrong way, and none at all. The
// reasons that the tool prints are its own words, and a site's words are printed as they are.
func TestReasonsOfServers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file, history := filepath.Join(folder, "robots.txt"), filepath.Join(folder, "h")
	write(t, file, "User-agent: *\nDisallow: /\n")
	addresses := []string{"127.0.0.1:1", "192.0.2.1.invalid:80"}
	for _, text := range hostileAnswers() {
		addresses = append(addresses, answering(t, text, false))
	}
	var runs []reasonRun
	for _, address := range addresses {
		for _, args := range []string{"fetch --cache none http://%s", "check --cache none --json http://%s/", "fetch --cache none https://%s",
			"fetch --cache none --proxy http://%s http://127.0.0.2:1/", "fetch --cache none --proxy socks5://%s http://127.0.0.2:1/",
			"check --cache none --file " + file + " --sitemap http://%s/s.xml", "cache purge --cache valkey://%s shop.example", "watch --once --history " + history + " http://%s"} {
			runs = append(runs, reasonRun{args: strings.Fields(strings.ReplaceAll(args+" --timeout 500ms", "%s", address))})
			if strings.HasPrefix(args, "cache") {
				runs[len(runs)-1].args = strings.Fields(strings.ReplaceAll(args, "%s", address))
			}
		}
		runs = append(runs, reasonRun{args: strings.Fields("check --cache valkey://" + address + " http://127.0.0.1:1/ --timeout 500ms")})
	}
	for _, text := range hostileFTP() {
		address := answering(t, text, true)
		for _, command := range []string{"fetch", "check --json"} {
			runs = append(runs, reasonRun{args: strings.Fields(command + " --cache none --timeout 300ms ftp://" + address)})
		}
	}
	checkAll(t, runs)
}

var panicWords = regexp.MustCompile(`panic|runtime error|goroutine|\.go:\d|%!`)

// TestReasonsOfService: for the same sites, no answer of the service has the words of a library, and no line of its log
// reports a panic.
func TestReasonsOfService(t *testing.T) {
	t.Parallel()
	servers := map[string]string{}
	var sites []string
	for i, text := range hostileAnswers() {
		servers[fmt.Sprintf("8.8.1.%d:80", i)] = answering(t, text, false)
		sites = append(sites, fmt.Sprintf("http://h1-%d.example/", i))
	}
	for i, text := range hostileFTP() {
		servers[fmt.Sprintf("8.8.2.%d:21", i)] = answering(t, text, true)
		sites = append(sites, fmt.Sprintf("ftp://h2-%d.example/", i))
	}
	var mu sync.Mutex
	var log bytes.Buffer
	var dialled sync.Map
	service := serveWith(t, serve.Config{
		FetchTimeout: 300 * time.Millisecond, AccessLog: true,
		Logger: slog.New(slog.NewJSONHandler(writerFunc(func(text []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return log.Write(text)
		}), nil)),
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			dialled.Store(address, true)
			return new(net.Dialer).DialContext(ctx, network, cmp.Or(servers[address], "127.0.0.1:1"))
		},
	})
	texts := 0
	check := func(of, text string) {
		texts++
		bare := quoted.ReplaceAllString(fileNames().ReplaceAllString(strings.ReplaceAll(text, siteWords, ""), "FILE"), `""`)
		if word := libraryWords().FindString(bare); word != "" {
			t.Errorf("%s has %q in %.300s", of, word, text)
		}
	}
	for _, site := range sites {
		for call, request := range map[string]string{
			"fetch": `{"url":%q}`, "check": `{"urls":[%q]}`, "sitemap": `{"url":%q}`, "resources": `{"url":%q}`,
		} {
			body := strings.NewReader(fmt.Sprintf(request, site))
			response, err := http.Post(service+"/v1/"+call, "application/json", body)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			eachText(t, answer, func(text string) { check("/v1/"+call+" of "+site, text) })
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for line := range bytes.Lines(log.Bytes()) {
		// It has the whole errors, see fetch.Config, for who runs the service; but no panic.
		if panicWords.Match(line) {
			t.Errorf("the log has %s", line)
		}
	}
	for address := range servers {
		if _, ok := dialled.Load(address); !ok {
			t.Errorf("%s was not asked", address)
		}
	}
	if texts < 10*len(sites) {
		t.Errorf("only %d texts", texts)
	}
}

// eachText calls do for each text in JSON.
func eachText(t *testing.T, answer []byte, do func(string)) {
	t.Helper()
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			do(v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	var v any
	if err := json.Unmarshal(answer, &v); err != nil {
		t.Fatalf("%v in %.300s", err, answer)
	}
	walk(v)
}

// TestSiteWords: words of a site that are words of a library too are printed as the site sent them.
func TestSiteWords(t *testing.T) {
	for _, header := range []string{"Content-Encoding: ", "Transfer-Encoding: ", "Content-Length: "} {
		address := answering(t, "HTTP/1.1 200 OK\r\n"+header+siteWords+"\r\n\r\nabc", false)
		_, out, errs := runTool(t, "fetch", "--cache", "none", "http://"+address)
		reason := ""
		for line := range strings.Lines(out + errs) {
			if strings.Contains(line, " error ") {
				reason = line
			}
		}
		// Names of codings are in lower case.
		if !strings.Contains(strings.ToLower(reason), strings.ToLower(siteWords)) {
			t.Errorf("%s%s: %s%s", header, siteWords, out, errs)
		}
	}
}
