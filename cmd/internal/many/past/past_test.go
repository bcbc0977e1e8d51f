package past_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
	"github.com/kosterhq/robotstxt/cmd/internal/many/past"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/history"
	_ "github.com/kosterhq/robotstxt/internal/test/largeheap"
)

// repository is a Git repository whose commits have given times.
type repository struct {
	t      *testing.T
	folder string
}

func newRepository(t *testing.T) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	r := &repository{t, t.TempDir()}
	r.git(0, "init", "-q", "-b", "main", ".")
	return r
}

// git runs git at a day.
func (r *repository) git(day int, args ...string) {
	r.t.Helper()
	at := fmt.Sprintf("2026-01-%02dT00:00:00Z", day+1)
	cmd := exec.Command("git", args...)
	cmd.Dir = r.folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=shop", "GIT_AUTHOR_EMAIL=shop@shop.example",
		"GIT_COMMITTER_NAME=shop", "GIT_COMMITTER_EMAIL=shop@shop.example", "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	if output, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %q: %v: %s", args, err, output)
	}
}

func (r *repository) commit(day int, name, body string) {
	r.t.Helper()
	name = filepath.Join(r.folder, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(body), 0o644); err != nil {
		r.t.Fatal(err)
	}
	r.git(day, "add", "-A")
	r.git(day, "commit", "-qm", "robots.txt")
}

// versions returns the day, status and body of each version, in the order of their times.
func (r *repository) versions(path string) (all []string) {
	r.t.Helper()
	_, err := past.Git(r.t.Context(), r.folder, path, "https://shop.example", time.Time{}, func(o history.Observation) error {
		if o.Source != "git" || o.Origin != "https://shop.example" {
			r.t.Errorf("%+v", o)
		}
		all = append(all, fmt.Sprintf("%02d %d %s", o.Time.UTC().Day()-1, o.Status, o.Body))
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// TestGit: a file has its versions under earlier names, those of a branch from its merge on, the
// times of its commits even where they are not in order, and its removals. What is new under its
// name after a removal has no other past, even if it is like another file.
func TestGit(t *testing.T) {
	r := newRepository(t)
	text := strings.Repeat("Disallow: /shop/\n", 20) // enough to be recognised under another name
	r.commit(1, "robots.txt", "A"+text)
	r.git(2, "mv", "robots.txt", "moved.txt")
	r.git(2, "commit", "-qm", "moved")
	r.git(3, "checkout", "-qb", "branch")
	r.commit(4, "moved.txt", "B"+text)
	r.git(5, "checkout", "-q", "main")
	r.commit(5, "other.txt", "")
	r.git(6, "merge", "-q", "--no-ff", "-m", "merge", "branch")
	r.commit(3, "moved.txt", "C"+text) // an earlier time than the commit before
	r.git(8, "rm", "-q", "moved.txt")
	r.git(8, "commit", "-qm", "gone")
	r.commit(9, "moved.txt", "")
	want := []string{"01 200 A" + text, "02 200 A" + text, "03 200 C" + text, "06 200 B" + text, "08 404 ", "09 200 "}
	if got := r.versions("moved.txt"); !slices.Equal(got, want) {
		t.Errorf("versions\n%q, want\n%q", got, want)
	}
	r.folder = filepath.Join(r.folder, "site")
	r.commit(10, "robots.txt", "D"+text)
	if got := r.versions("robots.txt"); !slices.Equal(got, []string{"10 200 D" + text}) {
		t.Errorf("in a folder of the repository: %q", got)
	}
	if got := r.versions("../moved.txt"); !slices.Equal(got, want) {
		t.Errorf("beside a folder of the repository: %q", got)
	}
	if got := r.versions("../site"); len(got) != 0 {
		t.Errorf("a folder has versions: %q", got)
	}
	if got := r.versions("*.txt"); len(got) != 0 {
		t.Errorf("a pattern is no path: %q", got)
	}
	if _, err := past.Git(t.Context(), t.TempDir(), "robots.txt", "https://shop.example", time.Time{}, nil); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("no repository: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := past.Git(ctx, r.folder, "moved.txt", "https://shop.example", time.Time{}, nil); err == nil {
		t.Error("no error after a cancellation")
	}
}

// TestGitEnvironment: variables that git sets for a hook, or that change the meaning of paths,
// do not select a different repository or file.
func TestGitEnvironment(t *testing.T) {
	other, r := newRepository(t), newRepository(t)
	other.commit(1, "robots.txt", "other")
	r.commit(1, "robots.txt", "A")
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(other.folder, ".git"), "GIT_WORK_TREE": other.folder, "GIT_INDEX_FILE": filepath.Join(other.folder, ".git", "index"),
		"GIT_OBJECT_DIRECTORY": filepath.Join(other.folder, ".git", "objects"), "GIT_PREFIX": "x/", "GIT_NAMESPACE": "x", "GIT_LITERAL_PATHSPECS": "1",
	} {
		t.Setenv(name, value)
	}
	if got := r.versions("robots.txt"); !slices.Equal(got, []string{"01 200 A"}) {
		t.Errorf("versions\n%q", got)
	}
}

// TestGitMissing: a version that the repository lacks is an error that says which.
func TestGitMissing(t *testing.T) {
	r := newRepository(t)
	r.commit(1, "robots.txt", "A")
	object, err := filepath.Glob(filepath.Join(r.folder, ".git", "objects", "8c", "*")) // of the text A
	if err != nil || len(object) != 1 || os.Remove(object[0]) != nil {
		t.Fatal(object, err)
	}
	n, err := past.Git(t.Context(), r.folder, "robots.txt", "https://shop.example", time.Time{}, func(history.Observation) error { return nil })
	if n != 0 || err == nil || !strings.HasPrefix(err.Error(), "the repository lacks the file of commit ") || strings.Contains(err.Error(), "%!") ||
		term.HintOf(err) == "" {
		t.Errorf("%d, %v", n, err)
	}
	_, err = past.Git(t.Context(), filepath.Join(r.folder, "missing"), "robots.txt", "https://shop.example", time.Time{}, nil)
	if err == nil || !strings.Contains(err.Error(), "missing") || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a missing folder: %v", err)
	}
}

// TestGitDamaged: git prints less of a damaged object than it announces, and goes on.
func TestGitDamaged(t *testing.T) {
	r := newRepository(t)
	r.commit(1, "robots.txt", "A")
	object, err := filepath.Glob(filepath.Join(r.folder, ".git", "objects", "8c", "*")) // of the text A
	if err != nil || len(object) != 1 {
		t.Fatal(object, err)
	}
	var damaged bytes.Buffer
	z := zlib.NewWriter(&damaged)
	fmt.Fprint(z, "blob 100000\x00too short")
	z.Close()
	if err := os.Chmod(object[0], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object[0], damaged.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a defect reaches it
	defer cancel()
	n, err := past.Git(ctx, r.folder, "robots.txt", "https://shop.example", time.Time{},
		func(history.Observation) error { return nil })
	if n != 0 || err == nil || ctx.Err() != nil || !strings.HasPrefix(err.Error(), "git: ") {
		t.Errorf("%d, %v", n, err)
	}
}

// TestGitOneSecond: versions of one second, as a rebase makes them, keep their order, also if the
// file is again as before.
func TestGitOneSecond(t *testing.T) {
	r := newRepository(t)
	for _, body := range []string{"A", "B", "A", "C", "A"} {
		r.commit(1, "robots.txt", body)
	}
	store, err := history.Open(t.Context(), filepath.Join(t.TempDir(), "history.db"), history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for range 2 { // the second time adds nothing
		n, err := past.Git(t.Context(), r.folder, "robots.txt", "https://shop.example", time.Time{}, func(o history.Observation) error { return store.Add(t.Context(), o) })
		if n != 5 || err != nil {
			t.Fatal(n, err)
		}
		spans, err := store.Window(t.Context(), "https://shop.example", time.Unix(0, 0), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		var got string
		for _, span := range spans {
			if span.Observations == 1 {
				body, err := store.Body(t.Context(), span.Version.SHA256)
				if err != nil {
					t.Fatal(err)
				}
				got += string(body)
			}
		}
		if got != "ABACA" {
			t.Errorf("the versions are %s", got)
		}
	}
}

// TestGitNow: the newest version is known until the import, so that what applied since the last
// commit is presumed.
func TestGitNow(t *testing.T) {
	r := newRepository(t)
	r.commit(1, "robots.txt", "A")
	r.commit(3, "robots.txt", "B")
	store, err := history.Open(t.Context(), filepath.Join(t.TempDir(), "history.db"), history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	n, err := past.Git(t.Context(), r.folder, "robots.txt", "https://shop.example", now, func(o history.Observation) error { return store.Add(t.Context(), o) })
	if n != 2 || err != nil {
		t.Fatal(n, err)
	}
	a, err := store.At(t.Context(), "https://shop.example", now.Add(-24*time.Hour))
	if err != nil || a.Certainty != history.Presumed {
		t.Errorf("long after the last commit: %s, %v, want presumed", a.Certainty, err)
	}
}

// TestGitLink: a symbolic link is an error before anything is added: its target is no rule.
func TestGitLink(t *testing.T) {
	r := newRepository(t)
	r.commit(1, "static dir/robots.txt", "A")
	if err := os.Symlink("static dir/robots.txt", filepath.Join(r.folder, "robots.txt")); err != nil {
		t.Skip(err)
	}
	r.git(2, "add", "-A")
	r.git(2, "commit", "-qm", "a link")
	_, err := past.Git(t.Context(), r.folder, "robots.txt", "https://shop.example", time.Time{}, func(o history.Observation) error {
		t.Errorf("%+v", o)
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "name the file itself") {
		t.Errorf("a link: %v", err)
	}
	if got := r.versions("static dir/robots.txt"); !slices.Equal(got, []string{"01 200 A"}) {
		t.Errorf("the file: %q", got)
	}
}

// record returns a record of a web archive.
func record(kind, url, date, body string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, url, date, map[bool]string{true: "text/plain", false: "application/http; msgtype=response"}[kind == "resource"], len(body), body)
}

// read adds the files of one archive.
func read(archive string, add past.Add) (n, skipped int, err error) {
	archives := past.Archives{Add: add}
	return archives.Read(strings.NewReader(archive))
}

// TestArchive: of an archive the records count that say what a site had at which time.
func TestArchive(t *testing.T) {
	response := func(status, body string) string {
		return "HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\n\r\n" + body
	}
	const at, robots = "2026-03-01T00:00:00Z", "https://shop.example/robots.txt"
	archive := record("resource", robots, at, "A") +
		record("response", robots, "2026-03-02T00:00:00Z", response("200 OK\r\nCACHE-CONTROL: max-age=432000\r\nExpires: 0", "B")) +
		record("response", robots, "2026-03-03T00:00:00Z", response("404 Not Found", "no")) +
		record("response", robots, "2026-03-04T00:00:00Z", response("503 Unavailable", "no")) +
		record("response", robots, "2026-03-05T00:00:00Z", response("301 Moved\r\nLocation: /other", "")) +
		record("response", robots, "2026-03-04T12:00:00Z", response("429 Too Many Requests", "no")) +
		record("response", robots, "2026-03-04T13:00:00Z", response("206 Partial Content", "B")) +
		record("revisit", robots, "2026-03-06T00:00:00Z", response("200 OK", "")) +
		record("resource", "mailto:shop@shop.example", at, "A") +
		record("response", robots, "2026-03-07T00:00:00Z", "no response")
	var got []string
	n, skipped, err := read(archive, func(o history.Observation) error {
		about := o.Fault + o.Header.Get("Cache-Control")
		got = append(got, fmt.Sprintf("%s %s %d %q %s", o.Origin, o.Time.UTC().Format(time.DateOnly), o.Status, o.Body, about))
		return nil
	})
	want := []string{`https://shop.example 2026-03-01 200 "A" `, `https://shop.example 2026-03-02 200 "B" max-age=432000`, `https://shop.example 2026-03-03 404 "" `, `https://shop.example 2026-03-04 503 "" status`,
		`https://shop.example 2026-03-04 429 "" status`, `https://shop.example 2026-03-04 206 "" status`}
	if err != nil || n != len(want) || !slices.Equal(got, want) {
		t.Errorf("%d, %v\n%q, want\n%q", n, err, got, want)
	}
	if skipped != 2 { // the redirect and the damaged response; mail has no robots.txt, and a revisit is resolved later
		t.Errorf("%d records were skipped", skipped)
	}
	n, skipped, err = read(archive, func(o history.Observation) error {
		if o.Status == 404 {
			var none []string
			_ = none[len(o.Origin)]
		}
		return nil
	})
	if n != len(want)-1 || skipped != 3 || term.TraceOf(err) == "" {
		t.Errorf("a panic at one file: %d added, %d skipped, %v", n, skipped, err)
	}
	cut := "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: " + robots + "\r\nWARC-Date: " + at + "\r\nContent-Length: 100\r\n\r\ncut"
	n, skipped, err = read(cut, func(o history.Observation) error {
		t.Errorf("a damaged record is an observation: %+v", o)
		return nil
	})
	if n != 0 || skipped != 0 || err == nil || !strings.Contains(err.Error(), "within the record") {
		t.Errorf("an archive that is cut: %d added, %d skipped, %v", n, skipped, err)
	}
}

// TestSilentGit: git that waits for a pipe is ended, even if the repository does not show which file it is.
func TestSilentGit(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	defer past.SetPatience(200 * time.Millisecond)()
	r := newRepository(t)
	r.commit(1, "robots.txt", "A")
	r.git(1, "config", "include.path", "~/pipe")
	pipe := filepath.Join(os.Getenv("HOME"), "pipe")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: no pipes: %v, %s", err, out)
	}
	_, err := past.Git(t.Context(), r.folder, "robots.txt", "https://shop.example", time.Time{}, func(history.Observation) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "git has not answered for") || term.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
}

// TestGitObject: a version that git cannot read is an error that says why: its object is a pipe, or claims
// to be larger than git's memory.
func TestGitObject(t *testing.T) {
	for want, replace := range map[string]func(r *repository, object string) error{
		"is a pipe": func(r *repository, object string) error { return exec.Command("mkfifo", object).Run() },
		"needs more than 1,024 MiB": func(r *repository, object string) error {
			var z bytes.Buffer
			to := zlib.NewWriter(&z)
			fmt.Fprintf(to, "commit %d\x00tree", 3<<30)
			to.Close()
			return os.WriteFile(object, z.Bytes(), 0o600)
		},
	} {
		if runtime.GOOS != "linux" && want != "is a pipe" {
			continue // git has no limit
		}
		r := newRepository(t)
		r.commit(1, "robots.txt", "A")
		cmd := exec.Command("git", "rev-parse", "HEAD")
		cmd.Dir = r.folder
		commit, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		object := filepath.Join(r.folder, ".git", "objects", string(commit[:2]), strings.TrimSpace(string(commit[2:])))
		if err := os.Remove(object); err != nil {
			t.Fatal(err)
		}
		if err := replace(r, object); err != nil {
			t.Skipf("NOT TESTED: no pipes: %v", err)
		}
		_, err = past.Git(t.Context(), r.folder, "robots.txt", "https://shop.example", time.Time{}, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(term.HintOf(err), "trust") {
			t.Errorf("%v, want %s; %s", err, want, term.HintOf(err))
		}
	}
}

// TestGitTemporary: TMPDIR may be relative; if it is unusable, the error names it.
func TestGitTemporary(t *testing.T) {
	r := newRepository(t)
	r.commit(1, "robots.txt", "A")
	t.Chdir(t.TempDir())
	if err := os.Mkdir("tmp", 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", "tmp")
	if got := r.versions("robots.txt"); !slices.Equal(got, []string{"01 200 A"}) {
		t.Errorf("versions\n%q", got)
	}
	if left, err := os.ReadDir("tmp"); len(left) > 0 || err != nil {
		t.Errorf("%q is left, %v", left, err)
	}
	t.Setenv("TMPDIR", "/missing\nfolder")
	_, err := past.Git(t.Context(), r.folder, "robots.txt", "https://shop.example", time.Time{}, nil)
	if err == nil || !strings.Contains(err.Error(), `/missing\nfolder`) || !strings.Contains(term.HintOf(err), "TMPDIR") {
		t.Errorf("%v, %s", err, term.HintOf(err))
	}
}

// TestSameVerdicts: between files that differ only in a Sitemap line the verdicts are presumed, and the line is not.
func TestSameVerdicts(t *testing.T) {
	store, err := history.Open(t.Context(), filepath.Join(t.TempDir(), "history.db"), history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const site = "https://shop.example"
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for hour, sitemap := range []string{"a", "b"} {
		o := history.Observation{Origin: site, Time: begin.Add(time.Duration(hour) * time.Hour), Source: "client", Status: 200,
			Body: []byte("User-agent: *\nDisallow: /cart\nSitemap: https://shop.example/" + sitemap + "\n")}
		if err := store.Add(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	a, err := past.At(t.Context(), store, site, begin.Add(30*time.Minute))
	if err != nil || a.Certainty != "possible" || a.Verdicts != "presumed" ||
		!strings.Contains(past.AnswerText(a), "the verdicts are presumed, because they are the same before and after\n") {
		t.Errorf("%v, %+v, %s", err, a, past.AnswerText(a))
	}
	h, err := past.Timeline(t.Context(), store, site, begin, begin.Add(time.Hour), &watch.Reader{})
	if err != nil || !strings.Contains(past.Text(h), "possible  the files before and after have the same verdicts\n") {
		t.Errorf("%v, %s", err, past.Text(h))
	}
}

// TestRevisits: a revisit has the file of another record, also in another archive and before it; it is skipped if that
// is not known.
func TestRevisits(t *testing.T) {
	const robots = "https://shop.example/robots.txt"
	day := func(n int) string { return fmt.Sprintf("2026-03-%02dT00:00:00Z", n) }
	response := func(n int, fields, status, body string) string {
		text := record("response", robots, day(n), "HTTP/1.1 "+status+" X\r\n\r\n"+body)
		return strings.Replace(text, "WARC-Type", fields+"WARC-Type", 1)
	}
	revisit := func(n int, fields, status string) string {
		return strings.Replace(response(n, fields, status, ""), "response\r\nWARC", "revisit\r\nWARC", 1)
	}
	files := []string{
		revisit(5, "WARC-Payload-Digest: SHA1:AAA\r\n", "200") + response(1, "WARC-Payload-Digest: sha1:AAA\r\n", "200", "A") +
			response(2, "", "200", "B") + revisit(6, "WARC-Payload-Digest: sha1:CCC\r\n", "200") + revisit(7, "", "304") + response(8, "", "304", ""),
		response(3, "WARC-Payload-Digest: sha1:CCC\r\n", "200", "C") +
			revisit(9, "WARC-Refers-To-Target-URI: "+robots+"\r\nWARC-Refers-To-Date: "+day(2)+"\r\n", "200") +
			revisit(10, "WARC-Payload-Digest: sha1:DDD\r\n", "200") + revisit(11, "", "200") + revisit(12, "", "404"),
	}
	got := map[int]string{}
	archives := past.Archives{Add: func(o history.Observation) error {
		got[o.Time.Day()] = fmt.Sprint(o.Status, string(o.Body), o.Fault)
		return nil
	}}
	for _, file := range files {
		if _, _, err := archives.Read(strings.NewReader(file)); err != nil {
			t.Fatal(err)
		}
	}
	n, skipped, err := archives.Resolve(func(archive int) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(files[archive])), nil
	})
	want := map[int]string{1: "200A", 2: "200B", 3: "200C", 5: "200A", 6: "200C", 7: "200C", 8: "200C", 9: "200B", 12: "404"}
	if err != nil || n != 5 || skipped != 2 || !maps.Equal(got, want) {
		t.Errorf("%d, %d, %v: %v, want %v", n, skipped, err, got, want)
	}
}

// TestResolveAgain: revisits of an archive that cannot be read again, or was replaced, are skipped, and the others are
// added. A file can be one without a time or of another path, as in an audit.
func TestResolveAgain(t *testing.T) {
	const at = "2026-03-02T00:00:00Z"
	pair := func(host, path, date string) string {
		digest := "WARC-Payload-Digest: sha1:" + host + "\r\nWARC-Type"
		file := record("response", "https://"+host+path, date, "HTTP/1.1 200 X\r\n\r\n"+host)
		again := record("revisit", "https://"+host+"/robots.txt", at, "HTTP/1.1 200 X\r\n\r\n")
		return strings.ReplaceAll(file+again, "WARC-Type", digest)
	}
	const first = "2026-03-01T00:00:00Z"
	files := []string{pair("pipe.example", "/robots.txt", first), pair("old.example", "/robots.txt", first),
		pair("a.example", "/robots.txt", first), pair("b.example", "/en/robots.txt", first), pair("c.example", "/robots.txt", "")}
	got := map[string]string{}
	archives := past.Archives{Add: func(o history.Observation) error {
		got[o.Origin+o.Time.Format(" 2")] = string(o.Body)
		return nil
	}}
	for _, file := range files {
		if _, _, err := archives.Read(strings.NewReader(file)); err != nil {
			t.Fatal(err)
		}
	}
	n, skipped, err := archives.Resolve(func(archive int) (io.ReadCloser, error) {
		switch archive {
		case 0:
			return nil, io.ErrUnexpectedEOF
		case 1:
			return io.NopCloser(strings.NewReader(pair("new.example", "/robots.txt", first))), nil
		}
		return io.NopCloser(strings.NewReader(files[archive])), nil
	})
	for _, host := range []string{"a", "b", "c"} {
		if site := host + ".example"; got["https://"+site+" 2"] != site {
			t.Errorf("%s has %q", site, got["https://"+site+" 2"])
		}
	}
	if err != nil || n != 3 || skipped != 2 || len(got) != 6 {
		t.Errorf("%d, %d, %v: %v", n, skipped, err, got)
	}
	if _, _, err := archives.Resolve(func(archive int) (io.ReadCloser, error) {
		archives.Add = func(history.Observation) error { return io.ErrShortWrite }
		return io.NopCloser(strings.NewReader(files[archive])), nil
	}); err != io.ErrShortWrite {
		t.Errorf("an error of the history: %v", err)
	}
}

// TestManyUnmodified: the time for a site with many captures does not grow with their square: with it, these would need
// minutes. They come in the wrong order.
func TestManyUnmodified(t *testing.T) {
	const n = 200_000
	url := "https://shop.example/robots.txt"
	var revisits audit.Revisits
	for i := n; i > 0; i-- {
		in := audit.Input{URL: url, FetchedAt: time.Unix(int64(i), 0), Status: 200}
		switch {
		case i%4 == 0 && i < n/2: // a file
		case i%2 == 0:
			in.Problem, in.RefersTo, in.RefersAt = audit.Revisit, url, time.Unix(int64(i), 1e6) // of no file
		default:
			in.Status = 304
		}
		revisits.Note(&in, audit.RecordOf(&in, 0, i), in.Problem == "" && in.Status == 200)
	}
	of, all := revisits.Files()
	resolved := 0
	for file, visits := range of {
		for _, visit := range visits {
			if resolved++; visit.Time.Unix() < int64(file.Number) {
				t.Fatalf("%v has the file of %d", visit, file.Number)
			}
		}
	}
	if all != n-n/8+1 || resolved != n/2-2 {
		t.Errorf("%d revisits, %d with files", all, resolved)
	}
}
