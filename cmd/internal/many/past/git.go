package past

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/history"
)

// Add keeps an observation.
type Add func(history.Observation) error

// Git adds each version that a file had on the main line of a Git repository (the first
// parents, because a branch is not served before it is merged), with the time of its commit.
// If the file was renamed, Git adds the versions under its earlier names too. A commit that
// removes the file has status 404. Git also adds the newest version at the time now, because
// the repository still has it, unless now is zero. If commits have the same second, each
// counts as a millisecond after the one before. Git runs the program git and returns the
// number of versions.
func Git(ctx context.Context, repository, path, origin string, now time.Time, add Add) (n int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the programs
	names, ask := io.Pipe()
	defer ask.Close()
	blobs, _, err := start(ctx, names, "-C", repository, "cat-file", "--batch")
	if err != nil {
		return 0, err
	}
	within, err := run(ctx, "-C", repository, "rev-parse", "--show-cdup", "--show-prefix")
	if err != nil {
		return 0, err
	}
	top, prefix, _ := strings.Cut(within, "\n")
	repository, path = filepath.Join(repository, top), filepath.ToSlash(filepath.Join(strings.TrimSuffix(prefix, "\n"), path))
	var all []committed // newest first
	for before := "HEAD"; path != ""; {
		some, oldest, err := commits(ctx, repository, before, path)
		if err != nil {
			return 0, err
		}
		if all = append(all, some...); oldest == "" {
			break
		}
		if path, err = formerName(ctx, repository, oldest, path); err != nil {
			return 0, err
		}
		before = oldest + "^"
	}
	for i := len(all) - 1; i >= 0; i-- {
		o := history.Observation{Origin: origin, Time: all[i].at, Source: "git", Status: 404}
		if i+1 < len(all) && all[i+1].at.Unix() == o.Time.Unix() {
			o.Time = all[i+1].at.Add(time.Millisecond) // commits have seconds; a rebase makes several in one
			all[i].at = o.Time
		}
		if strings.Trim(all[i].object, "0") != "" {
			o.Status = 200
			if o.Body, o.Truncated, err = blob(ask, blobs, all[i].object); err != nil {
				return n, err
			}
		}
		if err := add(o); err != nil {
			return n, err
		}
		if n++; i == 0 && now.After(o.Time) {
			o.Time = now
			if err := add(o); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// committed is a version of a file. The object is all zeros if the commit removed the file.
type committed struct {
	at     time.Time
	object string
}

// commits returns the versions of a path, newest first, and the oldest commit that changed it.
// It ignores files in a folder of this name.
func commits(ctx context.Context, repository, from, path string) (all []committed, oldest string, err error) {
	log, endLog, err := start(ctx, nil, "-C", repository, "log", "--first-parent", "--diff-merges=first-parent", "--no-show-signature",
		"--no-renames", "--raw", "--no-abbrev", "--format=%H %ct", from, "--", ":(literal)"+path, ":(literal,exclude)"+path+"/")
	if err != nil {
		return nil, "", err
	}
	var at time.Time
	for log.Scan() {
		fields := strings.Fields(log.Text())
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
			all = append(all, committed{at, fields[3]})
		}
	}
	return all, oldest, errors.Join(log.Err(), endLog())
}

// formerName returns the name that a path had before a commit, "" if the commit made the file.
func formerName(ctx context.Context, repository, commit, path string) (string, error) {
	renames, err := run(ctx, "-C", repository, "show", "--diff-merges=first-parent", "-M", "--diff-filter=R", "--format=", "--name-status", "-z", commit)
	if err != nil {
		return "", err
	}
	for fields := strings.Split(renames, "\x00"); len(fields) >= 3; fields = fields[3:] { // R100, the former name, the name
		if fields[2] == path {
			return fields[1], nil
		}
	}
	return "", nil
}

// run returns the output of a short run of git.
func run(ctx context.Context, args ...string) (string, error) {
	out, end, err := start(ctx, nil, args...)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(out.bytes)
	return string(text), errors.Join(err, end())
}

// program is the output of a program, line by line or as bytes.
type program struct {
	*bufio.Scanner
	bytes *bufio.Reader
}

// start starts git. end waits for it, and returns its message about a failure.
func start(ctx context.Context, input io.Reader, args ...string) (out program, end func() error, err error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	var complaint bytes.Buffer
	cmd.Stdin, cmd.Stderr, cmd.WaitDelay = input, &limited{&complaint, 4 << 10}, time.Second
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return out, nil, fmt.Errorf("git: %w", err)
	}
	out.bytes = bufio.NewReader(pipe)
	out.Scanner = bufio.NewScanner(out.bytes)
	return out, func() error {
		if err := cmd.Wait(); err != nil {
			line, _, _ := strings.Cut(complaint.String(), "\n")
			return fmt.Errorf("git: %w: %s", err, line)
		}
		return nil
	}, nil
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

// blob returns the beginning of an object, up to the size that crawlers read.
func blob(ask io.Writer, blobs program, id string) (body []byte, cut bool, err error) {
	if _, err := fmt.Fprintln(ask, id); err != nil {
		return nil, false, err
	}
	head, err := blobs.bytes.ReadString('\n')
	fields := strings.Fields(head)
	if err != nil || len(fields) != 3 || fields[1] != "blob" {
		return nil, false, fmt.Errorf("git: no file %s: %q, %w", id, head, err)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return nil, false, err
	}
	all := io.LimitReader(blobs.bytes, size+1) // including the line end after it
	if body, cut, err = robotstxt.ReadBody(io.LimitReader(all, size), robotstxt.DefaultBodyLimit); err == nil {
		_, err = io.Copy(io.Discard, all)
	}
	if body == nil {
		body = []byte{}
	}
	return body, cut, err
}
