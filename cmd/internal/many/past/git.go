package past

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/git"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/history"
)

// Add keeps an observation.
type Add func(history.Observation) error

// Git adds each version that a file had on the main line of a Git repository (the first
// parents, because a branch is not served before it is merged), with the time of its commit.
// If the file was renamed, Git adds the versions under its earlier names too. A commit that
// removes the file has status 404. Git also adds the newest version at the time now, because
// the repository still has it, unless now is zero. If commits have the same second, each
// counts as a millisecond after the one before. Git runs the program git, which starts no
// program that the repository names and fetches nothing: if a partial clone lacks a version,
// that is an error. Git returns the number of versions.
func Git(ctx context.Context, repository, path, origin string, now time.Time, add Add) (n int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the programs
	r, prefix, err := openRepository(ctx, repository)
	if err != nil {
		return 0, err
	}
	defer r.remove()
	all, err := r.versions(ctx, filepath.ToSlash(filepath.Join(prefix, path)))
	if err != nil {
		return 0, err
	}
	blobs, err := r.readBlobs(ctx, all)
	if err != nil {
		return 0, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		o := history.Observation{Origin: origin, Time: all[i].at, Source: "git", Status: 404}
		if i+1 < len(all) && all[i+1].at.Unix() == o.Time.Unix() {
			o.Time = all[i+1].at.Add(time.Millisecond) // commits have seconds; a rebase makes several in one
			all[i].at = o.Time
		}
		if all[i].hasFile() {
			o.Status = 200
			o.Body, o.Truncated, err = blob(blobs, all[i])
			if err != nil {
				return n, err
			}
		}
		if err := add(o); err != nil {
			return n, err
		}
		n++
		if i == 0 && now.After(o.Time) {
			o.Time = now
			if err := add(o); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// repository is a repository. remove removes the empty folder that git takes for its working tree.
type repository struct {
	*git.Repository
	remove func()
}

// openRepository finds the repository that contains a folder, and the folder's path from its top. The
// caller calls remove.
func openRepository(ctx context.Context, folder string) (r repository, prefix string, err error) {
	r.Repository, err = git.Open(ctx, folder)
	if err != nil {
		return r, "", err
	}
	found, err := r.start(ctx, "", "rev-parse", "--show-prefix")
	if err != nil {
		return r, "", err
	}
	text, err := io.ReadAll(found.output)
	if err != nil {
		return r, "", err
	}
	empty, remove, err := files.TemporaryFolder()
	if err == nil {
		r.Repository, r.remove = r.Bare(empty), remove
	}
	return r, strings.TrimSuffix(string(text), "\n"), err
}

// versions returns the versions of a file under all its names, newest first. The path is from the
// repository's top.
func (r repository) versions(ctx context.Context, path string) (all []committed, err error) {
	for before := "HEAD"; path != ""; {
		some, oldest, err := r.commits(ctx, before, path)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
		if oldest == "" {
			break
		}
		path, err = r.formerName(ctx, oldest, path)
		if err != nil {
			return nil, err
		}
		before = oldest + "^"
	}
	return all, nil
}

// committed is a version of a file. The object is all zeros if the commit removed the file.
type committed struct {
	at             time.Time
	commit, object string
}

// commits returns the versions of a path, newest first, and the oldest commit that changed it.
// It ignores files in a folder of this name.
func (r repository) commits(ctx context.Context, from, path string) (all []committed, oldest string, err error) {
	log, err := r.start(ctx, "", "log", "--first-parent", "--diff-merges=first-parent", "--no-renames", "--raw",
		"--no-abbrev", "--format=%H %ct", from, "--", ":(top,literal)"+path, ":(top,literal,exclude)"+path+"/")
	if err != nil {
		return nil, "", err
	}
	defer log.stop()
	var at time.Time
	lines := bufio.NewScanner(log.output)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 2 {
			seconds, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return nil, "", fmt.Errorf("git: a commit's time: %w", err)
			}
			oldest, at = fields[0], time.Unix(seconds, 0)
		} else if len(fields) > 4 {
			if mode := fields[1]; !strings.HasPrefix(mode, "100") && strings.Trim(mode, "0") != "" {
				return nil, "", fmt.Errorf("git: %q is not a file in commit %.12s, but a symbolic link or a submodule: name the file itself", path, oldest)
			}
			all = append(all, committed{at, oldest, fields[3]})
		}
	}
	return all, oldest, lines.Err()
}

// formerName returns the name that a path had before a commit, "" if the commit made the file.
func (r repository) formerName(ctx context.Context, commit, path string) (string, error) {
	shown, err := r.start(ctx, "", "show", "--diff-merges=first-parent", "-M", "--diff-filter=R", "--format=",
		"--name-status", "-z", commit)
	if err != nil {
		return "", err
	}
	renames, err := io.ReadAll(shown.output)
	if err != nil {
		return "", err
	}
	fields := strings.Split(string(renames), "\x00")
	for ; len(fields) >= 3; fields = fields[3:] { // R100, the former name, the name
		if fields[2] == path {
			return fields[1], nil
		}
	}
	return "", nil
}

// program is a run of git.
type program struct {
	output *bufio.Reader // ends with git's error, which has its message, or io.EOF
	stop   func()        // for a reader that does not read all
}

// patience is how long git may print nothing. In a large repository it looks for the file in many commits.
var patience = 5 * time.Minute

var errSilent = term.Errorf("git has not answered for %v", patience).
	Hint("if the repository is a large one that you trust, its commit-graph helps: run \"git commit-graph write --reachable --changed-paths\" in it")

var errMemory = term.Errorf("git needs more than %s MiB for the repository", term.Thousands(git.Memory>>20)).
	Hint("a small file of it can stand for a text of any length: do not trust the repository")

// start starts git, which reads the input.
func (r repository) start(ctx context.Context, input string, args ...string) (program, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	var complaint bytes.Buffer
	cmd := r.Command(ctx, args...)
	cmd.Stderr = &limited{&complaint, 4 << 10}
	in, output, err := cmd.Pipes()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel(err)
		return program{}, term.Errorf("git cannot run: %v", term.Cause(err))
	}
	go func() {
		_, _ = io.WriteString(in, input) // if git ends early, its output has the error
		_ = in.Close()
	}()
	wait := sync.OnceValue(func() error {
		err := cmd.Wait()
		if context.Cause(ctx) == errSilent {
			return errSilent
		}
		cancel(nil)
		if err == nil || errors.Is(err, exec.ErrWaitDelay) { // a child of git keeps its standard error open
			return nil
		}
		message := strings.ReplaceAll(strings.TrimSpace(complaint.String()), "\n", "; ")
		if strings.Contains(strings.ToLower(message), "out of memory") {
			return errMemory
		}
		return fmt.Errorf("git: %w: %s", err, strings.TrimPrefix(message, "fatal: "))
	})
	// A child of git can keep the output open after git was stopped.
	context.AfterFunc(ctx, func() {
		output.Close()
		_ = wait()
	})
	ended := &untilEnd{Reader: output, wait: wait, silent: func() { cancel(errSilent) }}
	return program{bufio.NewReader(ended), func() { output.Close() }}, nil
}

// untilEnd is the output of a program, which ends with the program's error.
type untilEnd struct {
	io.Reader
	wait   func() error
	silent func() // is called if a read takes longer than patience
	err    error  // of the first read that failed: wait closes the reader
}

func (u *untilEnd) Read(p []byte) (n int, err error) {
	if u.err != nil {
		return 0, u.err
	}
	timer := time.AfterFunc(patience, u.silent)
	n, err = u.Reader.Read(p)
	timer.Stop()
	if err != nil {
		u.err = cmp.Or(u.wait(), err)
	}
	return n, u.err
}

// limited keeps the beginning of its input.
type limited struct {
	to   *bytes.Buffer
	most int
}

func (l *limited) Write(p []byte) (int, error) {
	l.to.Write(p[:min(len(p), max(0, l.most-l.to.Len()))])
	return len(p), nil
}

// hasFile reports whether the commit has the file, and does not remove it.
func (c committed) hasFile() bool { return strings.Trim(c.object, "0") != "" }

// readBlobs starts git to print the files of commits, the oldest first. All are named at once: git
// prints less of a damaged one than it announces, and would wait for another name then.
func (r repository) readBlobs(ctx context.Context, all []committed) (program, error) {
	var names strings.Builder
	for _, version := range slices.Backward(all) {
		if version.hasFile() {
			names.WriteString(version.object + "\n")
		}
	}
	return r.start(ctx, names.String(), "cat-file", "--batch")
}

// blob returns the beginning of a version, up to the size that crawlers read.
func blob(blobs program, version committed) (body []byte, cut bool, err error) {
	head, err := blobs.output.ReadString('\n')
	fields := strings.Fields(head) // the object, blob, its size; or the object, "missing"
	if err != nil || len(fields) != 3 || fields[1] != "blob" {
		if _, ours := errors.AsType[*term.Error](err); ours {
			return nil, false, err
		}
		reason := ""
		if err != nil && err != io.EOF {
			reason = ": " + err.Error()
		}
		return nil, false, term.Errorf("the repository lacks the file of commit %.12s%s", version.commit, reason).
			Hint(`if it is a partial clone that you trust, run "git log -p" in it for this file: git then fetches every version`)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return nil, false, fmt.Errorf("git: the size of the file of commit %.12s: %w", version.commit, err)
	}
	all := &io.LimitedReader{R: blobs.output, N: size + 1} // including the line end after it
	body, cut, err = robotstxt.ReadBody(io.LimitReader(all, size), robotstxt.DefaultBodyLimit)
	if err == nil {
		_, err = io.Copy(io.Discard, all)
	}
	if err == nil && all.N > 0 {
		err = fmt.Errorf("git: the file of commit %.12s is damaged", version.commit)
	}
	if body == nil {
		body = []byte{}
	}
	return body, cut, err
}
