//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostileRepositories are what an unpacked archive can contain so that git runs a program, waits for
// ever or prints something else. Each is the command of git that does so without a guard, and a
// function that changes an honest repository, whose program is evil.
var hostileRepositories = map[string]struct {
	unguarded []string
	prepare   func(r hostileRepository)
}{
	"a promised object over SSH": {[]string{"cat-file", "blob", "HEAD:robots.txt"}, func(r hostileRepository) {
		r.promise("ssh://site.example/x")
		r.git("config", "core.sshCommand", r.evil)
	}},
	"a promised object by ext": {[]string{"cat-file", "blob", "HEAD:robots.txt"}, func(r hostileRepository) {
		r.promise("ext::" + r.evil)
		r.git("config", "protocol.ext.allow", "always")
	}},
	"a promised object from a folder": {[]string{"cat-file", "blob", "HEAD:robots.txt"}, func(r hostileRepository) {
		r.promise(r.folder)
		r.git("config", "remote.origin.uploadpack", r.evil)
	}},
	"signatures, hooks, filters and monitors": {[]string{"show", "HEAD"}, func(r hostileRepository) {
		for _, setting := range []string{"gpg.program", "gpg.ssh.program", "core.fsmonitor", "core.pager", "diff.external", "diff.x.textconv",
			"diff.x.command", "filter.x.smudge", "filter.x.clean", "filter.x.process", "core.editor", "core.alternateRefsCommand"} {
			r.git("config", setting, r.evil)
		}
		r.git("config", "log.showSignature", "true")
		write(r.t, filepath.Join(r.folder, ".git", "info", "attributes"), "* diff=x filter=x\n")
		for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction"} {
			write(r.t, filepath.Join(r.folder, ".git", "hooks", hook), "#!/bin/sh\n"+r.evil+"\n")
		}
		commit := r.git("cat-file", "commit", "HEAD")
		head, text, _ := strings.Cut(commit, "\n\n")
		signed := head + "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n" + text
		write(r.t, filepath.Join(r.folder, "signed"), signed)
		r.git("update-ref", "HEAD", strings.TrimSpace(r.git("hash-object", "-t", "commit", "-w", "signed")))
	}},
	"attributes that wait": {[]string{"show", "-M", "--format=", "--name-status", "HEAD"}, func(r hostileRepository) {
		file := filepath.Join(r.folder, "robots.txt")
		text := strings.Repeat("# a line\n", 40) + read(r.t, file)
		write(r.t, file, text)
		r.git("add", ".")
		r.git("mv", "robots.txt", "former")
		r.git("commit", "-q", "--amend", "-m", "x")
		r.git("mv", "former", "robots.txt")
		write(r.t, file, text+"Disallow: /b\n")
		r.git("commit", "-qam", "x")
		r.pipe(".gitattributes")
	}},
	"no first version":      {gitLog, func(r hostileRepository) { r.git("config", "log.showRoot", "false") }},
	"a different encoding":  {gitLog, func(r hostileRepository) { r.git("config", "i18n.logOutputEncoding", "UTF-16") }},
	"a mailmap that waits":  {gitLog, func(r hostileRepository) { r.pipe(".mailmap") }},
	"a mailmap by settings": {gitLog, func(r hostileRepository) { r.git("config", "mailmap.file", r.pipe("pipe")) }},
	"an order that waits":   {gitLog, func(r hostileRepository) { r.git("config", "diff.orderFile", r.pipe("pipe")) }},
}

var gitLog = []string{"log", "--raw", "--format=%H %ct"}

type hostileRepository struct {
	t            *testing.T
	folder, evil string // evil makes the file that ran names
	ran          string
}

func (r hostileRepository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@shop.example"}, args...)...)
	cmd.Dir, cmd.Env = r.folder, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %q: %v", args, err)
	}
	return string(out)
}

// pipe makes a pipe that nobody writes to, and returns its name.
func (r hostileRepository) pipe(name string) string {
	name = filepath.Join(r.folder, name)
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		r.t.Fatal(err)
	}
	return name
}

// output returns what git prints without a guard within a second, or until it has run the evil
// program.
func (r hostileRepository) output(args []string) string {
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.WaitDelay = r.folder, time.Second
	out, err := cmd.Output() // there is an error if it cannot find the object
	return fmt.Sprint(string(out), err)
}

// promise removes the file's object, which a remote then promises to have.
func (r hostileRepository) promise(url string) {
	object := strings.TrimSpace(r.git("rev-parse", "HEAD:robots.txt"))
	for _, setting := range [][2]string{{"core.repositoryFormatVersion", "1"}, {"extensions.partialClone", "origin"},
		{"remote.origin.url", url}, {"remote.origin.promisor", "true"}} {
		r.git("config", setting[0], setting[1])
	}
	if err := os.Remove(filepath.Join(r.folder, ".git", "objects", object[:2], object[2:])); err != nil {
		r.t.Fatal(err)
	}
}

// TestHostileRepositories: no command that uses git runs a program of a repository or waits for it, and each
// ends with an answer or an error that says what is missing.
func TestHostileRepositories(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("NOT TESTED: there is no git")
	}
	for name, hostile := range hostileRepositories {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			r := hostileRepository{t, filepath.Join(folder, "site"), filepath.Join(folder, "evil"), filepath.Join(folder, "ran")}
			write(t, r.evil, "#!/bin/sh\necho >"+r.ran+"\n")
			if os.Chmod(r.evil, 0o755) != nil || os.Mkdir(r.folder, 0o755) != nil {
				t.Fatal(folder)
			}
			r.git("init", "-q")
			write(t, filepath.Join(r.folder, "robots.txt"), "User-agent: *\nDisallow: /\n")
			r.git("add", ".")
			r.git("commit", "-qm", "x")
			honest := r.output(hostile.unguarded)
			hostile.prepare(r)
			out := r.output(hostile.unguarded)
			misleads := slices.Equal(hostile.unguarded, gitLog) || slices.Contains(hostile.unguarded, "-M")
			if os.Remove(r.ran) != nil && (!misleads || out == honest) {
				t.Fatalf("git %q runs nothing and prints %q: the repository is not hostile", hostile.unguarded, out)
			}
			for _, use := range r.uses() {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // a pipe can make it wait for ever
				defer cancel()
				cmd := exec.CommandContext(ctx, "robots", use.args...)
				cmd.WaitDelay = time.Second
				cmd.Stdin = strings.NewReader(use.input)
				out, err := cmd.CombinedOutput()
				if os.Remove(r.ran) == nil {
					t.Errorf("%s runs a program of the repository", use.args[0])
				}
				isPromised := hostile.unguarded[0] == "cat-file"
				switch {
				case use.args[0] == "history" && isPromised:
					if err == nil || !strings.Contains(string(out), "the repository lacks the file of commit") || !strings.Contains(string(out), "hint: ") {
						t.Errorf("history: %v, %s", err, out)
					}
				case use.args[0] == "history":
					if err != nil || !regexp.MustCompile("[1-9] versions? of the file").Match(out) {
						t.Errorf("history: %v, %s", err, out)
					}
				case err != nil || strings.Contains(string(out), "since HEAD") == isPromised:
					t.Errorf("lsp: %v, %s", err, out)
				}
				if strings.Contains(string(out), "%!") {
					t.Errorf("%s prints %s", use.args[0], out)
				}
			}
		})
	}
}

// use is a run of a command that uses git.
type use struct {
	args  []string
	input string
}

func (r hostileRepository) uses() []use {
	uri := "file://" + filepath.ToSlash(filepath.Join(r.folder, "robots.txt"))
	return []use{
		{[]string{"history", "import", "--git", r.folder + ":robots.txt", "--origin", "shop.example", "--history", filepath.Join(r.t.TempDir(), "h")}, ""},
		{[]string{"lsp"}, message(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`) +
			message(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"`+uri+`","languageId":"robotstxt","version":1,"text":"User-agent: *\nDisallow: /a\n"}}}`) +
			message(`{"jsonrpc":"2.0","id":2,"method":"textDocument/codeLens","params":{"textDocument":{"uri":"`+uri+`"}}}`) +
			message(`{"jsonrpc":"2.0","id":3,"method":"shutdown"}`) + message(`{"jsonrpc":"2.0","method":"exit"}`)},
	}
}

// TestEndlessRepositories: no command reads a repository whose files never end, or which could wait for ever, and
// history says which file it is, without advice that would make git read it.
func TestEndlessRepositories(t *testing.T) {
	folder := t.TempDir()
	r := hostileRepository{t: t, folder: folder}
	r.git("init", "-q")
	write(t, filepath.Join(folder, "robots.txt"), "User-agent: *\nDisallow: /\n")
	r.git("add", ".")
	r.git("commit", "-qm", "x")
	blob := strings.TrimSpace(r.git("rev-parse", "HEAD:robots.txt"))
	for name, kind := range map[string]string{"HEAD": "a pipe", "refs/heads/other": "a device", "objects/" + blob[:2] + "/" + blob[2:]: "a pipe"} {
		name := filepath.Join(folder, ".git", filepath.FromSlash(name))
		before := name + ".before"
		isNew := os.Rename(name, before) != nil
		if kind == "a pipe" && syscall.Mkfifo(name, 0o600) != nil || kind == "a device" && os.Symlink("/dev/zero", name) != nil {
			t.Fatal(name)
		}
		for _, use := range r.uses() {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			cmd := exec.CommandContext(ctx, "robots", use.args...)
			cmd.Stdin = strings.NewReader(use.input)
			out, err := cmd.CombinedOutput()
			cancel()
			text := string(out)
			if use.args[0] == "lsp" {
				if err != nil || strings.Contains(text, "since HEAD") || !strings.Contains(text, `"id":2,`) || !strings.Contains(text, `"title":"closes `) {
					t.Errorf("lsp: %v, %s", err, text)
				}
			} else if cmd.ProcessState.ExitCode() != exitUnknown || strings.Contains(text, "git log") ||
				!strings.Contains(text, kind) || !strings.Contains(text, filepath.Base(name)) ||
				!strings.Contains(text, "hint: ") {
				t.Errorf("history: %v, %s", err, text)
			}
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(before, name); (err != nil) != isNew {
			t.Fatal(err)
		}
	}
}

// message returns a message of an editor with its header.
func message(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }
