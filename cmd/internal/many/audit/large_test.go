//go:build linux

package audit_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// largeMemory bounds the memory of an audit with its tables, bodies and counts, in bytes.
const largeMemory = 256 << 20

// endless yields made files; every thousandth is as long as the limit.
type endless struct{ files int }

func (endless) Name() string { return "made" }

func (e endless) Files(ctx context.Context, yield func(*audit.Input) error) error {
	long := []byte(strings.Repeat("User-agent: GPTBot\nDisallow: /a/b/c\nDisallow: /*?x=\n\n", 10_000)[:500_000])
	for i := range e.files {
		in := audit.Input{Record: fmt.Sprint(i), Host: fmt.Sprintf("host-%d.example", i), Status: 200}
		in.Body = fmt.Appendf(nil, "User-agent: *\nDisallow: /%d\n\nUser-agent: GPTBot\nDisallow: /\n%s", i, strings.Repeat("# a comment\n", i%50))
		if i%1000 == 0 {
			in.Body = long
		}
		if err := yield(&in); err != nil {
			return err
		}
	}
	return nil
}

// TestMemoryOfHosts: an audit of 300,000 hosts, with its tables, bodies and counts, has a bound, and
// one of fewer hosts too. The test measures a process of its own.
func TestMemoryOfHosts(t *testing.T) {
	if folder := os.Getenv("AUDIT_LARGE"); folder != "" {
		files, err := strconv.Atoi(os.Getenv("AUDIT_FILES"))
		if err != nil {
			t.Fatal(err)
		}
		auditLarge(t, folder, files)
		return
	}
	largeFiles := 10_000
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		largeFiles = 300_000
	}
	child := exec.Command(os.Args[0], "-test.run=^TestMemoryOfHosts$", "-test.timeout=0")
	child.Env = append(os.Environ(), "AUDIT_LARGE="+t.TempDir(), fmt.Sprint("AUDIT_FILES=", largeFiles), fmt.Sprint("GOMEMLIMIT=", audit.Memory),
		fmt.Sprint("GOGC=", audit.GCPercent))
	if output, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	most := child.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	t.Logf("%d files: at most %d MB (10⁶ bytes), %v of processor time", largeFiles, most/1_000_000, child.ProcessState.UserTime()+child.ProcessState.SystemTime())
	if most > largeMemory {
		t.Errorf("%d MB for %d files, at most %d expected", most/1_000_000, largeFiles, largeMemory/1_000_000)
	}
}

func auditLarge(t *testing.T, folder string, largeFiles int) {
	q := audit.Questions{Crawlers: crawlersOf(t, "*,GPTBot,CCBot"), Exact: true, Bodies: true}
	census := audit.NewCensus(audit.ByHost, false)
	parts := audited(t, audit.Options{Questions: q, Census: census}, 0, []audit.Source{endless{largeFiles}})
	writeTables(t, parts, folder, "files.parquet", "crawlers.parquet", "bodies.parquet")
	if summary := census.Crawls()[0].Count(audit.CountConfig{}); summary.Sites != largeFiles {
		t.Fatalf("%d sites", summary.Sites)
	}
}
