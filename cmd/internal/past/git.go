package past

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/history"
)

// Add keeps an observation.
type Add func(history.Observation) error

// Git adds each version of a file in a Git repository, with the time of its commit, also
// under earlier names. A commit that removes the file is status 404. It runs the program git
// and returns the number of versions.
func Git(ctx context.Context, repository, path, origin string, add Add) (n int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the programs
	log, endLog, err := start(ctx, nil, "-C", repository, "--literal-pathspecs", "log", "--follow", "--raw", "--no-abbrev", "--format=%ct", "--", path)
	if err != nil {
		return 0, err
	}
	names, ask := io.Pipe()
	defer ask.Close()
	blobs, _, err := start(ctx, names, "-C", repository, "cat-file", "--batch")
	if err != nil {
		return 0, err
	}
	var at time.Time
	for log.Scan() {
		line := log.Text()
		if seconds, err := strconv.ParseInt(line, 10, 64); err == nil {
			at = time.Unix(seconds, 0)
		}
		fields := strings.Fields(line)
		if len(fields) < 5 || fields[0][0] != ':' {
			continue
		}
		o := history.Observation{Origin: origin, Time: at, Source: "git", Status: 404}
		if id := fields[3]; strings.Trim(id, "0") != "" {
			if o.Body, o.Truncated, err = blob(ask, blobs, id); err != nil {
				return n, err
			}
			o.Status = 200
		}
		if err := add(o); err != nil {
			return n, err
		}
		n++
	}
	return n, errors.Join(log.Err(), endLog())
}

// program is the output of a program, line by line or as bytes.
type program struct {
	*bufio.Scanner
	bytes *bufio.Reader
}

// start starts git. end waits for it, and returns what it says about a failure.
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

// limited keeps the beginning of what is written.
type limited struct {
	to   *bytes.Buffer
	most int
}

func (l *limited) Write(p []byte) (int, error) {
	l.to.Write(p[:min(len(p), max(0, l.most-l.to.Len()))])
	return len(p), nil
}

// blob returns the beginning of an object, as much as crawlers read.
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
	all := io.LimitReader(blobs.bytes, size+1) // with the line end after it
	if body, cut, err = robotstxt.ReadBody(io.LimitReader(all, size), robotstxt.DefaultBodyLimit); err == nil {
		_, err = io.Copy(io.Discard, all)
	}
	if body == nil {
		body = []byte{}
	}
	return body, cut, err
}
