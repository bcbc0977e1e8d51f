//go:build unix

package audit_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// memoryArchive is a web archive in memory.
type memoryArchive []byte

func (m memoryArchive) Name() string { return "memory.warc.gz" }

func (m memoryArchive) Files(_ context.Context, yield func(*audit.Input) error) error {
	return audit.ReadWARC(bytes.NewReader(m), audit.Config{}, yield)
}

// benchmarkFiles returns the files of ROBOTSTXT_CORPUS or, without it, made ones.
func benchmarkFiles(b testing.TB) (files []string) {
	folder := os.Getenv("ROBOTSTXT_CORPUS")
	names, _ := filepath.Glob(filepath.Join(folder, "*.txt"))
	if folder == "" || len(names) == 0 {
		for i := range 3000 {
			files = append(files, fmt.Sprintf("User-agent: *\nDisallow: /cart/%d\n%s\nUser-agent: GPTBot\nDisallow: /\n", i, strings.Repeat("Disallow: /a*/b\nAllow: /a/c\n", i%40)))
		}
		return files
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, string(data))
	}
	return files
}

// benchmarkArchive returns archives with gzip members, and how many files they have.
func benchmarkArchive(b testing.TB, repeat int) (memoryArchive, int) {
	files := benchmarkFiles(b)
	var archive bytes.Buffer
	for i, file := range files {
		archive.Write(gzipped([]byte(warcRecord(fmt.Sprintf("https://h%d.example/robots.txt", i), 200, file))))
	}
	return bytes.Repeat(archive.Bytes(), repeat), repeat * len(files)
}

var benchmarkURLs = []string{"/", "/search?q=tea", "/wp-admin/", "/images/a.jpg", "/index.html", "/a/b/c", "/cart/7", "/tag/tea", "/api/v1/items?id=7", "/about"}

// BenchmarkAudit audits gzip members in memory, with the tables as Parquet files on
// disk. The metrics are per file and do not depend on what else the machine does, in
// contrast to the time.
func BenchmarkAudit(b *testing.B) {
	archive, files := benchmarkArchive(b, 8)
	for _, c := range []struct {
		name string
		set  func(*audit.Questions)
	}{
		{"plain", func(*audit.Questions) {}},
		{"exact", func(q *audit.Questions) { q.Exact = true }},
		{"lint", func(q *audit.Questions) { q.Lint = true }},
	} {
		b.Run(c.name, func(b *testing.B) {
			parsed := crawlersOf(b, "GPTBot,CCBot,Googlebot")
			questions := audit.Questions{Crawlers: parsed, Samples: benchmarkURLs}
			c.set(&questions)
			folder := b.TempDir()
			began := cpuTime(b)
			for i := 0; b.Loop(); i++ {
				parts, err := audit.OpenParts(filepath.Join(folder, fmt.Sprint(i)), audit.PartsConfig{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := audit.Run(context.Background(), []audit.Source{archive}, parts,
					audit.Options{Questions: questions}); err != nil {
					b.Fatal(err)
				}
				if err := parts.Remove(); err != nil {
					b.Fatal(err)
				}
			}
			done := float64(files * b.N)
			cpu := cpuTime(b) - began
			b.ReportMetric(float64(cpu.Microseconds())/done, "cpu-µs/file")
			b.ReportMetric(done/cpu.Seconds(), "files/cpu-s")
			b.ReportMetric(done/b.Elapsed().Seconds(), "files/s")
		})
	}
}

// cpuTime returns the time that processors have worked for this process.
func cpuTime(b testing.TB) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
