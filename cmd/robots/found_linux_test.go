package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFoundIrregular replaces each file that a command finds, in a folder that the user names or because a file names
// it, by a pipe without a writer and by links to devices. The command ends at once and needs little memory.
func TestFoundIrregular(t *testing.T) {
	const database = "history.db history.db-wal history.db-shm history.db-journal history.db.lock"
	const state = "watch.db watch.db-wal watch.db.lock"
	const cache = "robots-cache.db robots-cache.db-wal robots-cache.db-journal robots-cache.lock"
	kinds := map[string]func(name string) error{
		"pipe":   func(name string) error { return syscall.Mkfifo(name, 0o600) },
		"zeros":  func(name string) error { return os.Symlink("/dev/zero", name) },
		"random": func(name string) error { return os.Symlink("/dev/urandom", name) },
		"stdin":  func(name string) error { return os.Symlink("/dev/stdin", name) },
	}
	for args, found := range map[string]string{
		"visits --evidence-check D":                      "SHA256SUMS evidence.json lines/1.txt files/x.txt verdicts.csv lists/index.jsonl",
		"visits --lists D access.log":                    "index.jsonl list.json",
		"visits --history D access.log":                  database,
		"history --history D shop.example":               database,
		"history import --history D --warc w.warc":       database,
		"audit . --history D":                            database,
		"watch --once --history D http://127.0.0.1:1":    database + " " + state,
		"check --cache D http://127.0.0.1:1/":            cache,
		"cache list --cache D":                           cache,
		"cache purge --cache D http://127.0.0.1:1":       cache,
		"crawlers compare D":                             "robots.json crawler-user-agents.json regexes/bots.yml robots.txt",
		"test D":                                         "robots.txt other",
		"test D/t.robots-test D/o.robots-test":           "robots.txt other",
		"audit D":                                        "robots.txt a.csv a.jsonl a.parquet",
		"audit . --out x.csv --parts D --resume":         "settings.json 000000.end 000000-000000.files.parquet",
		"lint D":                                         ".robotslint.yaml a.robots.txt .gitignore",
		"fmt --check D":                                  ".robotslint.yaml a.robots.txt",
		"check --file D /":                               "robots.txt a.robots.txt",
		"history import --git D:robots.txt --origin x.y": ".git .git/HEAD .git/config",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			for file := range strings.FieldsSeq(found) {
				for kind, replace := range kinds {
					folder := t.TempDir()
					for name, text := range map[string]string{
						"access.log": `66.249.66.1 - - [01/Nov/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "Googlebot/2.1"` + "\n",
						"robots.txt": "User-agent: *\nDisallow: /\n", "w.warc": "", "D/t.robots-test": "robots: robots.txt\nagents: *\ndeny: /\n",
						"D/o.robots-test": "robots: other\nagents: *\ndeny: /\n",
						"D/index.jsonl": `{"url":"https://developers.google.com/static/search/apis/ipranges/googlebot.json",` +
							`"date":"2026-11-01T00:00:00Z","file":"list.json"}` + "\n",
					} {
						write(t, filepath.Join(folder, name), text)
					}
					name := filepath.Join(folder, "D", file)
					_ = os.Remove(name)
					if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := replace(name); err != nil {
						t.Skipf("NOT TESTED: no pipes or links: %v", err)
					}
					endsSoon(t, folder, strings.Fields(args), kind+" "+file)
				}
			}
		})
	}
}

// endsSoon runs the tool in a folder, with a pipe as standard input to which nobody writes.
func endsSoon(t *testing.T, folder string, args []string, what string) {
	t.Helper()
	in, silent, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer silent.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	robots := exec.CommandContext(ctx, "robots", args...)
	robots.Dir, robots.Env = folder, append(os.Environ(), "XDG_CACHE_HOME="+folder, "HOME="+folder, "XDG_STATE_HOME="+folder)
	var out, errs bytes.Buffer
	robots.Stdin, robots.Stdout, robots.Stderr = in, &out, &errs
	err = robots.Run()
	if memory := peakOf(robots.ProcessState); ctx.Err() != nil || memory > 300 || robots.ProcessState.ExitCode() < 0 {
		t.Errorf("%s: robots %q: %v, %v, %d MiB, %.200q", what, args, ctx.Err(), err, memory, &errs)
	}
}
