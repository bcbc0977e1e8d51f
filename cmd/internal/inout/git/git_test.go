//go:build unix

package git_test

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/git"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

const text = "User-agent: *\n"

// run runs git in a folder without a guard.
func run(t *testing.T, folder string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@shop.example", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v, %s", args, err, out)
	}
}

// newRepository returns a folder whose repository has robots.txt.
func newRepository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NOT TESTED: there is no git")
	}
	folder := filepath.Join(t.TempDir(), "site")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, folder, "init", "-q", "-b", "main", "--template=")
	write(t, filepath.Join(folder, "robots.txt"), text)
	run(t, folder, "add", ".")
	run(t, folder, "commit", "-qm", "x")
	return folder
}

// another returns a copy of a repository.
func another(t *testing.T, site string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "site")
	if err := os.CopyFS(folder, os.DirFS(site)); err != nil {
		t.Fatal(err)
	}
	return folder
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// show returns what git prints of robots.txt in a folder, with its working tree and without.
func show(t *testing.T, folder string) string {
	t.Helper()
	r, err := git.Open(t.Context(), folder)
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, from := range []*git.Repository{r, r.Bare(t.TempDir())} {
		var out, errs bytes.Buffer
		cmd := from.Command(t.Context(), "cat-file", "blob", "HEAD:robots.txt")
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			return err.Error() + errs.String()
		}
		all = append(all, out.String())
	}
	if all[0] != all[1] {
		t.Errorf("%s: %q", folder, all)
	}
	return all[0]
}

// TestHonest: repositories of every layout that git makes can be read.
func TestHonest(t *testing.T) {
	link := func(t *testing.T, target, name string) {
		t.Helper()
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	for name, layout := range map[string]func(t *testing.T, site, beside string) string{
		"usual":    func(t *testing.T, site, beside string) string { return site },
		"packed":   func(t *testing.T, site, beside string) string { run(t, site, "gc", "-q"); return site },
		"by links": func(t *testing.T, site, beside string) string { link(t, site, beside); return beside },
		"a worktree": func(t *testing.T, site, beside string) string {
			run(t, site, "worktree", "add", "-q", "-b", "other", beside)
			return beside
		},
		"bare": func(t *testing.T, site, beside string) string {
			run(t, site, "clone", "-q", "--bare", ".", beside)
			return beside
		},
		"shared": func(t *testing.T, site, beside string) string {
			run(t, site, "clone", "-q", "--shared", ".", beside)
			return beside
		},
		"shared twice, by a relative name": func(t *testing.T, site, beside string) string {
			run(t, site, "clone", "-q", "--shared", ".", beside+"1")
			run(t, site, "clone", "-q", "--shared", beside+"1", beside)
			write(t, filepath.Join(beside, ".git", "objects", "info", "alternates"), "# from\n../../../beside1/.git/objects\n")
			return beside
		},
		"shallow": func(t *testing.T, site, beside string) string {
			run(t, site, "clone", "-q", "--depth", "1", "file://"+site, beside)
			return beside
		},
		"a submodule": func(t *testing.T, site, beside string) string {
			run(t, filepath.Dir(site), "init", "-q", beside)
			run(t, beside, "submodule", "--quiet", "add", site, "sub")
			return filepath.Join(beside, "sub")
		},
		"folders by links": func(t *testing.T, site, beside string) string { // as of git-new-workdir and repo
			if err := os.MkdirAll(filepath.Join(beside, ".git"), 0o755); err != nil {
				t.Fatal(err)
			}
			for _, shared := range []string{"objects", "refs", "config", "info"} {
				link(t, filepath.Join(site, ".git", shared), filepath.Join(beside, ".git", shared))
			}
			write(t, filepath.Join(beside, ".git", "HEAD"), "ref: refs/heads/main\n")
			return beside
		},
		"HEAD is a link": func(t *testing.T, site, beside string) string { // as of git before 1.0
			head := filepath.Join(site, ".git", "HEAD")
			if err := os.Remove(head); err != nil {
				t.Fatal(err)
			}
			link(t, "refs/heads/main", head)
			return site
		},
		"links in a circle, and one to nothing": func(t *testing.T, site, beside string) string {
			link(t, "..", filepath.Join(site, ".git", "objects", "circle"))
			link(t, "missing", filepath.Join(site, ".git", "refs", "broken"))
			return site
		},
		"a monitor's socket": func(t *testing.T, site, beside string) string {
			t.Chdir(filepath.Join(site, ".git")) // names of sockets are short
			l, err := net.Listen("unix", "fsmonitor--daemon.ipc")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { l.Close() })
			return site
		},
		"settings in more files": func(t *testing.T, site, beside string) string {
			write(t, beside, "[user]\n\tname = x\n")
			run(t, site, "config", "include.path", beside)
			run(t, site, "config", "includeIf.gitdir:/x/.path", "missing")
			return site
		},
	} {
		t.Run(name, func(t *testing.T) {
			site := newRepository(t)
			if got := show(t, layout(t, site, filepath.Join(filepath.Dir(site), "beside"))); got != text {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestNone: a folder without a repository is an error, and so is one whose repository git does not accept: a
// repository above it, which was not looked at, is not read in its place.
func TestNone(t *testing.T) {
	site := newRepository(t)
	for name, want := range map[string]string{t.TempDir(): "not a git repository", filepath.Join(site, "missing"): "no such file"} {
		if got := show(t, name); !strings.Contains(got, want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	write(t, filepath.Join(site, "inner", ".git", "HEAD"), "damaged")
	write(t, filepath.Join(site, "inner", ".git", "refs", "x"), "")
	write(t, filepath.Join(site, "inner", ".git", "objects", "x"), "")
	if got := show(t, filepath.Join(site, "inner")); !strings.Contains(got, "not a git repository") {
		t.Errorf("a damaged repository: %s", got)
	}
	if err := os.Mkdir(filepath.Join(site, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := show(t, filepath.Join(site, "folder")); got != text {
		t.Errorf("a folder of the repository: %s", got)
	}
}

// TestEndless: each file that git reads is refused before git starts if it is a device, a pipe or too large.
func TestEndless(t *testing.T) {
	honest := newRepository(t)
	names := strings.Fields(`HEAD config config.worktree packed-refs shallow commondir index FETCH_HEAD refs/heads/main refs/replace refs/tags/x
		info/grafts info/attributes info/exclude info/sparse-checkout logs/HEAD objects/info/alternates objects/info/commit-graph
		objects/info/commit-graphs/commit-graph-chain objects/pack/multi-pack-index objects/pack/pack-1.idx objects/ab/cdef`)
	for _, name := range names {
		for kind, put := range map[string]func(at string) error{
			"is a device":        func(at string) error { return os.Symlink("/dev/zero", at) },
			"is a pipe":          func(at string) error { return syscall.Mkfifo(at, 0o600) },
			"has over 65,536 by": func(at string) error { return os.WriteFile(at, make([]byte, 64<<10+1), 0o600) },
		} {
			isName := name == "HEAD" || name == "commondir" || strings.HasPrefix(name, "refs/") || name == "objects/info/alternates"
			if strings.HasPrefix(kind, "has") && !isName {
				continue
			}
			site := another(t, honest)
			at := filepath.Join(site, ".git", name)
			if os.RemoveAll(at) != nil || os.MkdirAll(filepath.Dir(at), 0o755) != nil {
				t.Fatal(at)
			}
			if err := put(at); err != nil {
				t.Fatal(err)
			}
			_, err := git.Open(t.Context(), site)
			if err == nil || !strings.Contains(err.Error(), kind) || !strings.Contains(err.Error(), name) ||
				term.HintOf(err) == "" {
				t.Errorf("%s: %v, want %s", name, err, kind)
			}
		}
	}
}

// TestEndlessElsewhere: files outside the git directory that it names are looked at too.
func TestEndlessElsewhere(t *testing.T) {
	honest := newRepository(t)
	for name, put := range map[string]func(t *testing.T, site, beside string){
		"objects of others": func(t *testing.T, site, beside string) {
			write(t, filepath.Join(site, ".git", "objects", "info", "alternates"), beside+"\n")
		},
		"objects of others, quoted": func(t *testing.T, site, beside string) {
			write(t, filepath.Join(site, ".git", "objects", "info", "alternates"), `"../../../\142eside"`+"\n")
		},
		"a common folder": func(t *testing.T, site, beside string) {
			write(t, filepath.Join(site, ".git", "commondir"), "../../beside\n")
		},
		"a linked folder": func(t *testing.T, site, beside string) {
			if err := os.Symlink(beside, filepath.Join(site, ".git", "refs", "x")); err != nil {
				t.Fatal(err)
			}
		},
		"settings": func(t *testing.T, site, beside string) {
			write(t, filepath.Join(site, ".git", "config"), "[Include] Path = \"../../beside/refs/pipe\" \n")
		},
		"settings of settings": func(t *testing.T, site, beside string) {
			write(t, filepath.Join(beside, "more"), "[includeIf \"gitdir:/\"]\n  path = refs/pi\\\npe\n")
			write(t, filepath.Join(site, ".git", "config"), "[include]\n\tpath = ../../beside/more\n")
		},
		"the file .git": func(t *testing.T, site, beside string) {
			if err := os.RemoveAll(filepath.Join(site, ".git")); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(site, ".git"), "gitdir: ../beside\n")
		},
	} {
		site := another(t, honest)
		beside := filepath.Join(filepath.Dir(site), "beside")
		write(t, filepath.Join(beside, "HEAD"), "ref: refs/heads/main\n")
		write(t, filepath.Join(beside, "objects", "x"), "")
		write(t, filepath.Join(beside, "refs", "x"), "")
		if err := syscall.Mkfifo(filepath.Join(beside, "refs", "pipe"), 0o600); err != nil {
			t.Skipf("NOT TESTED: no pipes: %v", err)
		}
		put(t, site, beside)
		if _, err := git.Open(t.Context(), site); err == nil || !strings.Contains(err.Error(), "is a pipe") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPipes: the pipes of a command are git's input and output.
func TestPipes(t *testing.T) {
	r, err := git.Open(t.Context(), newRepository(t))
	if err != nil {
		t.Fatal(err)
	}
	cmd := r.Command(t.Context(), "cat-file", "--batch")
	in, out, err := cmd.Pipes()
	if err != nil || cmd.Start() != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(in, "HEAD:robots.txt\n")
	in.Close()
	got, err := io.ReadAll(out)
	if err != nil || cmd.Wait() != nil || !strings.HasSuffix(string(got), " blob 14\n"+text+"\n") {
		t.Errorf("%q, %v", got, err)
	}
}
