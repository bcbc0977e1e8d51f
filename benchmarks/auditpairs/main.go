//go:build linux

// Command auditpairs compares the processor time of robots audit with gunzip -c, in pairs on
// one processor. It makes a web archive of 18,708 records from a folder of robots.txt files:
// the files in turns, each with its own host and gzip member, and from the second turn on with
// a comment that makes the body a new one.
//
//	go build -o /tmp/robots ./cmd/robots
//	go run ./benchmarks/auditpairs -robots /tmp/robots -corpus FOLDER
//
// With -captures N it prints instead the most memory of audits that read N such records, each of
// its own host, from a pipe.
package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

const records = 18_708

func main() {
	robots := flag.String("robots", "robots", "the `PROGRAM`")
	corpus := flag.String("corpus", os.Getenv("ROBOTSTXT_CORPUS"), "the `FOLDER` with robots.txt files")
	pairs := flag.Int("pairs", 7, "the number of pairs")
	captures := flag.Int("captures", 0, "print the most memory for `N` captures instead")
	flag.Parse()
	measure := func() error { return run(*robots, *corpus, *pairs) }
	if *captures > 0 {
		measure = func() error { return memory(*robots, *corpus, *captures) }
	}
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "auditpairs:", err)
		os.Exit(1)
	}
}

func run(robots, corpus string, pairs int) error {
	if pairs < 1 {
		return errors.New("-pairs must be at least 1")
	}
	folder, err := os.MkdirTemp("", "auditpairs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	archive := filepath.Join(folder, "archive.warc.gz")
	if err := writeArchive(archive, corpus); err != nil {
		return err
	}
	fmt.Println("| command | gunzip, s | audit, s | times that of gunzip |\n|---|---:|---:|---:|")
	for _, c := range commands(folder) {
		var base, times, ratios []float64
		for range pairs {
			unzip, err := processorTime("gunzip", "-c", archive)
			if err != nil {
				return err
			}
			audit, err := processorTime(robots, append(append([]string{"audit"}, c.args...), archive)...)
			if err != nil {
				return err
			}
			base, times, ratios = append(base, unzip), append(times, audit), append(ratios, audit/unzip)
		}
		fmt.Printf("| %s | %.2f | %.2f | %.1f (%.1f to %.1f) |\n", c.name, median(base), median(times), median(ratios), slices.Min(ratios), slices.Max(ratios))
	}
	return nil
}

type command struct {
	name string
	args []string
}

func commands(folder string) []command {
	tables := []string{"--out", filepath.Join(folder, "files.parquet"), "--crawlers-out", filepath.Join(folder, "crawlers.parquet")}
	return []command{
		{"counts, `--exact=false`", []string{"--exact=false"}}, {"counts", nil},
		{"both tables, `--purpose ai-training`", append([]string{"--purpose", "ai-training"}, tables...)}, {"both tables", tables},
	}
}

// memory prints the most memory of audits that read captures from a pipe.
func memory(robots, corpus string, captures int) error {
	folder, err := os.MkdirTemp("", "auditpairs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	fmt.Println("| command | captures | memory, MB |\n|---|---:|---:|")
	all := commands(folder)
	for _, c := range []command{all[1], all[3]} {
		audit := exec.Command(robots, append(append([]string{"audit"}, c.args...), "-")...)
		audit.Dir = folder
		audit.Stderr = os.Stderr
		input, err := audit.StdinPipe()
		if err != nil {
			return err
		}
		if err := audit.Start(); err != nil {
			return err
		}
		err = errors.Join(writeRecords(input, corpus, captures, gzip.BestSpeed), input.Close(), audit.Wait())
		if err != nil {
			return err
		}
		most := audit.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
		fmt.Printf("| %s | %d | %d |\n", c.name, captures, most/1_000_000)
	}
	return nil
}

func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }

// processorTime runs a program on one processor and returns its processor time in seconds.
func processorTime(name string, args ...string) (float64, error) {
	command := exec.Command(name, args...)
	command.Env = append(os.Environ(), "GOMAXPROCS=1")
	if err := command.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds(), nil
}

func writeArchive(name, corpus string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(writeRecords(file, corpus, records, gzip.DefaultCompression), file.Close())
}

// writeRecords writes records of a web archive, with the files of a folder in turns.
func writeRecords(to io.Writer, corpus string, records, level int) error {
	names, err := filepath.Glob(filepath.Join(corpus, "*.txt"))
	if err != nil || corpus == "" || len(names) == 0 {
		return errors.Join(err, errors.New("give -corpus FOLDER with robots.txt files, NAME.txt"))
	}
	files := make([][]byte, len(names))
	for i, name := range names {
		files[i], err = os.ReadFile(name)
		if err != nil {
			return err
		}
	}
	buffer := bufio.NewWriter(to)
	zip, err := gzip.NewWriterLevel(buffer, level)
	if err != nil {
		return err
	}
	began := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for i := range records {
		body := slices.Clip(files[i%len(files)])
		if turn := i / len(files); turn > 0 {
			body = fmt.Appendf(body, "\n# copy %d\n", turn)
		}
		block := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		zip.Reset(buffer)
		fmt.Fprintf(zip, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: %s\r\nWARC-Target-URI: https://h%d.example/robots.txt\r\n"+
			"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			began.Add(time.Duration(i)*time.Second).Format(time.RFC3339), i, len(block), block)
		if err := zip.Close(); err != nil {
			return err
		}
	}
	return buffer.Flush()
}
