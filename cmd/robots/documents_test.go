package main

import (
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// notRunHere are the commands in the documents that no test runs, or another one. A key is
// how the command begins.
var notRunHere = map[string]string{
	"go run ./cmd/robots":               "TestConsoleSessions runs it",
	"go test work":                      ".ci/run runs it",
	"curl -s":                           "TestDocs of cmd/internal/frontends/serve runs it",
	"printf '%s\\n' '{":                 "TestDocs of cmd/internal/frontends/serve runs it",
	"git clone https://":                "it asks a site on the internet",
	"robots watch --every 1h --webhook": "it runs until it is stopped; TestWatchWebhook runs it",
	"ROBOTSTXT_LONG=1 go test":          "it takes minutes",
	"python3 internal/many/audit":       "the tests of cmd/internal/many/audit run it; documentFolder has an archive instead",
}

// shellBlock is a block of commands in a Markdown text.
var shellBlock = regexp.MustCompile("(?ms)^```(sh|console)\n(.*?)^```$")

// documented returns the commands of a document, each with its blocks joined to one line.
func documented(text string) (commands []string) {
	for _, block := range shellBlock.FindAllStringSubmatch(text, -1) {
		script := strings.ReplaceAll(block[2], "\\\n", " ")
		for line := range strings.Lines(script) {
			line = strings.TrimRight(line, "\n")
			if block[1] == "console" {
				var prompt bool
				line, prompt = strings.CutPrefix(line, "$ ")
				if !prompt {
					continue
				}
			}
			if line != "" && !strings.HasPrefix(line, " ") {
				commands = append(commands, line)
			}
		}
	}
	return commands
}

// TestDocumentedCommands runs each command in the README and in docs in a folder that has
// the files it names, with the sites behind a proxy. It must give an answer, which is exit status 0 or 1.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "git", "gzip"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatal(pages, err)
	}
	unused := maps.Clone(notRunHere)
	environment := append(os.Environ(), sitesBehindProxy(t)...)
	ran := 0
	for _, page := range append(pages, "../../README.md") {
		text := read(t, page)
		var folder string
		for _, command := range documented(text) {
			if begins := slices.IndexFunc(slices.Collect(maps.Keys(notRunHere)),
				func(k string) bool { return strings.HasPrefix(command, k) }); begins >= 0 {
				maps.DeleteFunc(unused, func(k, _ string) bool { return strings.HasPrefix(command, k) })
				continue
			}
			if folder == "" {
				folder = documentFolder(t)
				table := "mkdir tables && robots audit https://data.example/crawl.warc.gz -q --crawlers-out tables/1.parquet"
				if output, err := bash(t, folder, environment, table); err != nil {
					t.Fatal(err, output)
				}
			}
			ran++
			if output, err := bash(t, folder, environment, command); err != nil {
				t.Errorf("%s: %s\nfails: %v\n%s", filepath.Base(page), command, err, output)
			}
		}
	}
	if len(unused) > 0 {
		t.Errorf("no document has a command that begins as %q", slices.Collect(maps.Keys(unused)))
	}
	if ran < 20 {
		t.Errorf("only %d commands", ran)
	}
}

// bash runs a command. An exit status of 1 is an answer too.
func bash(t *testing.T, folder string, environment []string, command string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", command)
	cmd.Dir, cmd.Env = folder, environment
	output, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	return string(output), err
}

// documentArchive is a web archive, which the host data.example has too.
const documentArchive = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://shop.example/robots.txt\r\n" +
	"WARC-Date: 2026-05-01T12:00:00Z\r\nContent-Type: text/plain\r\nContent-Length: 26\r\n\r\nUser-agent: *\nDisallow: /\n\r\n\r\n"

// documentFolder makes a folder with the files that the commands of the documents name.
func documentFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	rules := "User-agent: *\nDisallow: /cart\n\nUser-agent: GPTBot\nDisallow: /\n"
	for name, text := range map[string]string{
		"sites/shop.example.txt":           rules,
		"2025/shop.example.txt":            "User-agent: *\nDisallow: /cart\n",
		"2026/shop.example.txt":            rules,
		"hosts.txt":                        "shop.example\n",
		"robotstxt.paths":                  "crawl.warc.gz\n",
		"robots.txt":                       rules,
		"access.log":                       `shop.example:443 11.1.0.7 - - [03/Nov/2026:09:00:00 +0000] "GET /a HTTP/1.1" 200 512 "-" "GPTBot/1.2"` + "\n",
		"lists/index.jsonl":                `{"url":"https://openai.com/gptbot.json","date":"2026-11-03T10:00:00Z","file":"a.json"}` + "\n",
		"lists/a.json":                     `{"prefixes":[{"ipv4Prefix":"11.1.0.0/24"}]}`,
		"urls.txt":                         "/cart\n/tea\n",
		"staging.headers":                  "Authorization: Basic dXNlcjpzZWNyZXQ=\n",
		"static/robots.txt":                rules,
		"ai.robots.txt/robots.json":        `{"GPTBot": {"operator": "OpenAI"}}`,
		"crawler-user-agents.json":         `[{"pattern": "GPTBot"}]`,
		"device-detector/regexes/bots.yml": "- regex: 'GPTBot'\n  name: 'GPTBot'\n",
		"crawl.warc":                       documentArchive,
	} {
		name = filepath.Join(folder, filepath.FromSlash(name))
		write(t, name, text)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The test binary is the tool where its name is "robots".
	if err := os.Mkdir(filepath.Join(folder, ".bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(folder, ".bin", "robots")); err != nil {
		t.Skip(err)
	}
	prepare := `set -e
		gzip -k crawl.warc
		gzip robotstxt.paths
		mkdir cc FOLDER
		for name in cc/crawl FOLDER/crawl-0; do cp crawl.warc.gz $name.warc.gz; done
		for name in 2026 CC-MAIN-2026-01 CC-MAIN-2026-02; do cp crawl.warc.gz $name.warc.gz; done
		git init -q . && git add static
		git -c user.name=shop -c user.email=shop@shop.example commit -qm robots.txt
		for year in 2025=old 2026=new; do .bin/robots audit ${year%=*}/ -q --crawlers-out ${year#*=}-1.parquet; done`
	if output, err := bash(t, folder, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull), prepare); err != nil {
		t.Fatal(err, output)
	}
	return folder
}

// startTLS starts a server with a certificate for hosts, which programs trust if SSL_CERT_FILE names
// the file roots.
func startTLS(t *testing.T, handler http.Handler, hosts ...string) (server *httptest.Server, roots string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		DNSNames: hosts,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	roots = filepath.Join(t.TempDir(), "roots.pem")
	write(t, roots, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})))
	server = httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, roots
}

// tunnel connects a client of a proxy to a server.
func tunnel(to http.ResponseWriter, server *httptest.Server) {
	to.WriteHeader(http.StatusOK)
	client, sent, err := http.NewResponseController(to).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	site, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(site, sent) // the client may have sent its first bytes already
		site.Close()
	}()
	_, _ = io.Copy(client, site)
}

// sitesBehindProxy starts shop.example and staging.example, by HTTP and by HTTPS, and
// returns the environment in which the tool, found in .bin of its folder, reaches them.
func sitesBehindProxy(t *testing.T) []string {
	t.Helper()
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "data.example" {
			archive := gzip.NewWriter(w)
			io.WriteString(archive, documentArchive)
			archive.Close()
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "User-agent: *\nDisallow: /cart\n")
	})
	secure, roots := startTLS(t, site, "shop.example", "staging.example", "news.example", "data.example")
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			tunnel(w, secure)
		} else {
			site(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	return []string{
		"HTTP_PROXY=" + proxy.URL, "HTTPS_PROXY=" + proxy.URL, "SSL_CERT_FILE=" + roots, "SSL_CERT_DIR=" + t.TempDir(),
		"PATH=.bin" + string(filepath.ListSeparator) + os.Getenv("PATH"), "XDG_CACHE_HOME=" + t.TempDir(), "XDG_STATE_HOME=" + t.TempDir(),
	}
}

// TestDocumentedFlags: the commands within the text of the documents exist, with their flags.
func TestDocumentedFlags(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	fenced := regexp.MustCompile("(?ms)^```.*?^```$")
	span := regexp.MustCompile("`robots ([^`]+)`")
	checked := 0
	for _, page := range append(pages, "../../README.md") {
		text := read(t, page)
		for _, found := range span.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			arguments := strings.Fields(strings.ReplaceAll(found[1], `"`, ""))
			root := allCommands()[0]
			root.InitDefaultHelpCmd()
			command, rest, err := root.Find(arguments)
			if err == nil {
				rest = slices.DeleteFunc(rest, func(a string) bool { return !strings.HasPrefix(a, "--") })
				for _, flag := range rest {
					name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
					if command.Flags().Lookup(name) == nil && command.InheritedFlags().Lookup(name) == nil {
						t.Errorf("%s: %s has no flag --%s", filepath.Base(page), command.CommandPath(), name)
					}
				}
				checked++
			}
			// The first argument may be a file or a site instead.
			if (err != nil || command == root) && !strings.ContainsAny(arguments[0], ".:-") {
				t.Errorf("%s: there is no command %q", filepath.Base(page), arguments[0])
			}
		}
	}
	if checked < 60 {
		t.Errorf("only %d commands", checked)
	}
}

// TestFlagsDocumented: each flag is in a document, so that a flag that nobody needs is noticed.
func TestFlagsDocumented(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := make(map[string]bool)
	for _, page := range append(pages, "../../README.md") {
		for _, found := range flagName.FindAllStringSubmatch(read(t, page), -1) {
			documented[found[1]] = true
		}
	}
	flags := 0
	for _, cmd := range allCommands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			flags++
			if !documented[f.Name] {
				t.Errorf("no document mentions --%s of %q", f.Name, cmd.CommandPath())
			}
		})
	}
	if flags < 300 {
		t.Errorf("only %d flags were found", flags)
	}
}
