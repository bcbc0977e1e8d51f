//go:build unix

package files_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
)

func TestMain(m *testing.M) {
	if do := os.Getenv("ROBOTSTXT_WRITE"); do != "" {
		if err := child(do); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child is what a process of its own does in these tests.
func child(do string) error {
	switch do {
	case "stdout":
		fmt.Println("before")
		err := files.Write("/dev/stdout", text("written\n"))
		fmt.Println("after")
		return err
	case "ignored":
		signal.Ignore(syscall.SIGHUP)
		return files.Write("o.csv", func(to io.Writer) error {
			return errors.Join(syscall.Kill(os.Getpid(), syscall.SIGHUP), text("written")(to))
		})
	}
	for _, name := range []string{"o.csv", "new.csv"} {
		err := files.Write(name, func(to io.Writer) error {
			return files.Write("inner.csv", func(inner io.Writer) error {
				fmt.Println(name)
				for range 1000 {
					if _, err := io.Copy(io.MultiWriter(to, inner), io.LimitReader(endless{}, 1<<20)); err != nil {
						return err
					}
				}
				return nil
			})
		})
		if !errors.Is(err, files.ErrInterrupted) {
			return fmt.Errorf("not interrupted: %w", err)
		}
		fmt.Println("interrupted")
	}
	return nil
}

// endless are as many bytes as are read.
type endless struct{}

func (endless) Read(to []byte) (int, error) { return len(to), nil }

func start(t *testing.T, do string, stdout *os.File) (process *exec.Cmd, lines *bufio.Scanner) {
	t.Helper()
	process = exec.Command(os.Args[0])
	process.Env = append(os.Environ(), "ROBOTSTXT_WRITE="+do)
	process.Stderr = os.Stderr
	if stdout != nil {
		process.Stdout = stdout
	} else {
		out, err := process.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		lines = bufio.NewScanner(out)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	return process, lines
}

// TestWriteInterrupted: after a signal while files are written, also two at a time, the old
// content stays, and no other file.
func TestWriteInterrupted(t *testing.T) {
	for _, one := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(one) {
			continue // by nohup, for example: see TestWriteIgnored
		}
		t.Chdir(t.TempDir())
		write(t, "o.csv", "old", 0o644)
		process, lines := start(t, "interrupted", nil)
		for lines.Scan() {
			if lines.Text() != "interrupted" {
				if err := process.Process.Signal(one); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := process.Wait(); err != nil {
			t.Errorf("%v: %v", one, err)
		}
		holds(t, "o.csv", "old")
		alone(t, ".", "o.csv")
	}
}

// TestWriteIgnored: a signal that the process ignores, as with nohup, interrupts nothing.
func TestWriteIgnored(t *testing.T) {
	inFolder(t)
	process, _ := start(t, "ignored", nil)
	if err := process.Wait(); err != nil {
		t.Error(err)
	}
	holds(t, "o.csv", "written")
}

// TestWriteDirectly: pipes, devices and descriptors are written, and not replaced.
func TestWriteDirectly(t *testing.T) {
	inFolder(t)
	if err := syscall.Mkfifo("pipe", 0o644); err != nil {
		t.Skip("no pipes here:", err)
	}
	link(t, "pipe", "to-pipe")
	for _, name := range []string{"pipe", "to-pipe"} {
		read := make(chan string)
		go func() {
			got, err := os.ReadFile("pipe")
			read <- fmt.Sprint(string(got), err)
		}()
		if err := files.Write(name, text("through the pipe")); err != nil {
			t.Error(err)
		}
		if got := <-read; got != "through the pipe<nil>" {
			t.Errorf("%s: %q was read", name, got)
		}
	}
	alone(t, ".", "pipe", "to-pipe")
	if err := files.Write(os.DevNull, text("x")); err != nil {
		t.Error(err)
	}
	if err := files.Write("/dev/full", text("x")); !errors.Is(err, syscall.ENOSPC) {
		if _, missing := os.Stat("/dev/full"); missing == nil {
			t.Errorf("/dev/full: %v", err)
		}
	} else if !strings.HasPrefix(err.Error(), `cannot write "/dev/full": no space`) {
		t.Error(err)
	}
	if err := files.Replace("pipe", nil, nil); !errors.Is(err, files.ErrIrregular) {
		t.Errorf("error %v of a pipe", err)
	}
}

// TestWriteStdout: /dev/stdout is the standard output, also if that is a file: what is printed
// before and after stays, and so does the file.
func TestWriteStdout(t *testing.T) {
	inFolder(t)
	out, err := os.Create("out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	process, _ := start(t, "stdout", out)
	if err := process.Wait(); err != nil {
		t.Fatal(err)
	}
	holds(t, "out", "before\nwritten\nafter\n")
	alone(t, ".", "out")
}
