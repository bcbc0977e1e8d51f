package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// crontabLine is the documented line, without its times.
func crontabLine(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile("(?s)```crontab\n(?:\\S+ ){5}([^\n]*)\n```").FindStringSubmatch(read(t, "../../docs/watch.md"))
	if found == nil || !strings.Contains(found[1], "/etc/robots/sites.txt") {
		t.Fatal("docs/watch.md has no line of crontab")
	}
	return found[1]
}

// TestCronMail runs the documented line of crontab as cron does, which mails what is printed:
// nothing while nothing changes; a change; a list that is missing; and a disk that is full.
func TestCronMail(t *testing.T) {
	t.Parallel()
	site, body := startSite(t)
	state := t.TempDir()
	list := filepath.Join(t.TempDir(), "sites.txt")
	write(t, list, site.URL+"\n")
	// The site of the test is on this machine, and no run of it waits.
	line := strings.Replace(crontabLine(t), "/etc/robots/sites.txt", list, 1) + " --allow-private --confirm 0s"
	mail := func(state string) string {
		cron := exec.Command("sh", "-c", line)
		cron.Env = append(os.Environ(), "STATE_DIRECTORY="+state)
		text, _ := cron.CombinedOutput()
		return string(text)
	}
	for _, run := range []struct{ what, body, want string }{
		{"the first run", "User-agent: *\nDisallow: /cart\n", ""},
		{"a quiet run", "User-agent: *\nDisallow: /cart # new comment\n", ""},
		{"a change", "User-agent: *\nDisallow: /\n", "closes the whole site"},
		{"a quiet run after it", "User-agent: *\nDisallow: /\n", ""},
	} {
		body.Store(run.body)
		if got := mail(state); run.want == "" && got != "" || !strings.Contains(got, run.want) {
			t.Errorf("%s: the mail is %q", run.what, got)
		}
	}
	t.Run("full disk", func(t *testing.T) {
		full := t.TempDir()
		if err := syscall.Mount("none", full, "tmpfs", 0, "size=1m"); err != nil {
			t.Skipf("NOT TESTED: no file system can be mounted: %v", err)
		}
		defer syscall.Unmount(full, syscall.MNT_DETACH)
		if got := mail(full); got != "" {
			t.Fatalf("the mail of the first run is %q", got)
		}
		filler, err := os.Create(filepath.Join(full, "filler"))
		for err == nil {
			_, err = filler.Write(make([]byte, 4096))
		}
		filler.Close()
		body.Store("User-agent: *\nDisallow: /other\n")
		if got := mail(full); !strings.Contains(got, "full") {
			t.Errorf("the mail is %q", got)
		}
	})
	if err := os.Remove(list); err != nil {
		t.Fatal(err)
	}
	if got := mail(state); !strings.Contains(got, list) {
		t.Errorf("a missing list: the mail is %q", got)
	}
}
