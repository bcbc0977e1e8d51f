package driver_test

import (
	"errors"
	"io"
	"os/exec"
	"testing"
	"testing/fstest"

	"github.com/kosterhq/robotstxt/benchmarks/corpus"
	"github.com/kosterhq/robotstxt/benchmarks/driver"
)

// scripted is a program that ends with its fourth request.
var scripted = driver.Program{
	Name: "scripted", Prepare: []string{"bash", "build"}, Command: []string{"bash", "answer"},
	Files: fstest.MapFS{
		"build": {Data: []byte("mv source answer\n")},
		"source": {Data: []byte(`echo '{"version":"7"}'
read -r request && echo '{"allowed":true,"line":3}'
read -r request && echo '{"allowed":false}'
read -r request && echo '{"error":"no"}'
`)},
	},
}

func TestProcess(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	p, err := scripted.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Version != "7" {
		t.Errorf("version %q", p.Version)
	}
	if allowed, line, err := p.Query([]byte("a"), nil, "/"); !allowed || line != 3 || err != nil {
		t.Errorf("got %v, %d, %v", allowed, line, err)
	}
	if allowed, line, err := p.Query(nil, []string{"a"}, "/"); allowed || line != driver.AnyLine || err != nil {
		t.Errorf("got %v, %d, %v", allowed, line, err)
	}
	if _, _, err := p.Query(nil, nil, ""); err == nil || err.Error() != "no" {
		t.Errorf("got %v, want the program's error", err)
	}
	if _, _, err := p.Query(nil, nil, ""); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want the end", err)
	}
	if err := p.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if allowed, line, err := p.Query([]byte("a"), nil, "/"); !allowed || line != 3 || err != nil {
		t.Errorf("after a restart: %v, %d, %v", allowed, line, err)
	}
}

func TestStartErrors(t *testing.T) {
	if _, err := (driver.Program{Name: "absent", Command: []string{"no-such-program-of-tests"}}).Start(t.Context()); err == nil {
		t.Error("a program that does not exist is started")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	failing := scripted
	failing.Prepare = []string{"bash", "-c", "exit 3"}
	if _, err := failing.Start(t.Context()); err == nil {
		t.Error("a program whose build fails is started")
	}
}

// TestTimed: the programs whose sources are named answer, and measure time at
// all kinds of work.
func TestTimed(t *testing.T) {
	programs := driver.Named()
	if len(programs) == 0 {
		t.Skipf("neither %s nor %s is set", driver.GoogleVariable, driver.FastVariable)
	}
	body := corpus.NewBody([]byte("User-agent: FooBot\nDisallow: /private\n"))
	files := []corpus.File{{Body: body, Paths: []string{"/private", "/"}}, {Body: body, Paths: []string{"/"}}}
	for _, program := range programs {
		t.Run(program.Name, func(t *testing.T) {
			p, err := program.Start(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			for path, want := range map[string]bool{"/private/x": false, "/public": true} {
				for _, url := range []string{path, "https://example.com" + path} {
					if allowed, _, err := p.Query(body.Bytes, []string{"FooBot"}, url); allowed != want || err != nil {
						t.Errorf("%s: %v, %v", url, allowed, err)
					}
				}
			}
			for _, work := range []driver.Work{driver.Parse, driver.OneShot, driver.Match, driver.Scan} {
				job, err := p.Load(work, "FooBot", files)
				if err != nil {
					t.Fatalf("%s: %v", work, err)
				}
				if _, err := p.Load(driver.Parse, "FooBot", nil); err != nil {
					t.Fatal(err)
				}
				// No machine does this in less than a nanosecond per file.
				if took, err := job.Time(1000); took < 2000 || err != nil {
					t.Errorf("%s: %v, %v", work, took, err)
				}
			}
			if job, err := p.Load("nonsense", "FooBot", files); err == nil {
				if _, err := job.Time(1); err == nil {
					t.Error("unknown work is done")
				}
			}
			t.Log(p.Version)
		})
	}
}
