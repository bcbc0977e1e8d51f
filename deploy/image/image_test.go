package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/test/valkeytest"
)

// extract writes the files of an image into a folder.
func extract(t *testing.T, image v1.Image, folder string) {
	t.Helper()
	layers := mutate.Extract(image)
	defer layers.Close()
	archive := tar.NewReader(layers)
	for {
		header, err := archive.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid != 0 || header.Gid != 0 || header.Mode&0o222 != 0 {
			t.Errorf("%s may be written: owner %d, mode %o", header.Name, header.Uid, header.Mode)
		}
		name := filepath.Join(folder, header.Name)
		if header.Typeflag == tar.TypeDir {
			err = os.MkdirAll(name, fs.FileMode(header.Mode))
		} else {
			var content []byte
			content, err = io.ReadAll(archive)
			if err == nil {
				err = os.WriteFile(name, content, fs.FileMode(header.Mode))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestImage makes an image twice, reads it as a container engine does, and runs it: its files
// are the root folder, its user the user, its entry point the program. The program of an image
// shares no compiled package with those of tests, so a new machine compiles for two minutes.
// .ci/run sets ROBOTSTXT_LONG.
func TestImage(t *testing.T) {
	if os.Getenv("ROBOTSTXT_LONG") == "" {
		t.Skip("set ROBOTSTXT_LONG to make and run an image")
	}
	files := t.TempDir()
	if err := checkout(files, runtime.GOARCH); err != nil {
		t.Fatal(err)
	}
	c := config{version: "v0.1.0", architecture: runtime.GOARCH, files: files}
	first, second := filepath.Join(t.TempDir(), "a.tar"), filepath.Join(t.TempDir(), "b.tar")
	for _, out := range []string{first, second} {
		if err := write(c, out); err != nil {
			t.Fatal(err)
		}
	}
	a, _ := os.ReadFile(first)
	b, _ := os.ReadFile(second)
	if len(a) == 0 || !slices.Equal(a, b) {
		t.Fatal("two images of the same files differ")
	}
	image, err := tarball.ImageFromPath(first, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the image has %d bytes", len(a))
	file, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if file.Config.User != user || file.OS != "linux" || file.Architecture != c.architecture || file.Created.IsZero() {
		t.Errorf("%+v", file)
	}
	folder := t.TempDir()
	extract(t, image, folder)
	certificates, err := os.ReadFile(filepath.Join(folder, "etc/ssl/certs/ca-certificates.crt"))
	if err != nil {
		t.Fatal(err)
	}
	if pool := x509.NewCertPool(); !pool.AppendCertsFromPEM(certificates) ||
		strings.Count(string(certificates), "BEGIN") < 80 {
		t.Errorf("%d bytes of certificates, %d", len(certificates), strings.Count(string(certificates), "BEGIN"))
	}
	if os.Getuid() != 0 {
		t.Skip("only root can change the root folder: the image was not run")
	}
	run(t, folder, file.Config)
}

// inside returns a command in the image: with its root folder, which is read-only, its user
// and its variables.
func inside(t *testing.T, folder string, config v1.Config, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.Command(args[0], args[1:]...)
	command.Env = config.Env
	command.Dir = "/"
	command.SysProcAttr = &syscall.SysProcAttr{Chroot: folder, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	return command
}

// freeAddress returns an address of this machine at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("127.0.0.1:%d", valkeytest.FreePorts(t, 1)[0])
}

// run starts what the image starts, and asks it.
func run(t *testing.T, folder string, config v1.Config) {
	t.Helper()
	if err := os.Chmod(folder, 0o755); err != nil { // its root folder in the container, which is for everybody
		t.Fatal(err)
	}
	readOnly := exec.Command("mount", "--bind", "-o", "ro", folder, folder)
	if out, err := readOnly.CombinedOutput(); err != nil {
		t.Logf("not mounted read-only: %v: %s", err, out)
	} else {
		t.Cleanup(func() { _ = exec.Command("umount", "-l", folder).Run() })
	}
	if out, err := inside(t, folder, config, "/robots", "version").CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "robots ") {
		t.Fatalf("%v: %s", err, out)
	}
	address, admin := freeAddress(t), freeAddress(t)
	config.Env = append(slices.Clone(config.Env), "ROBOTS_SERVE_LISTEN="+address, "ROBOTS_SERVE_ADMIN="+admin)
	service := inside(t, folder, config, config.Entrypoint...)
	var log strings.Builder
	service.Stderr = &log
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = service.Process.Signal(syscall.SIGTERM)
		if err := service.Wait(); err != nil || t.Failed() {
			t.Errorf("the service ended with %v\n%s", err, log.String())
		}
	}()
	until := time.Now().Add(2 * time.Minute)
	for {
		response, err := http.Get("http://" + admin + "/healthz")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Now().After(until) {
			t.Fatalf("/healthz: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	body := "User-agent: *\nDisallow: /cart\n"
	for _, path := range []string{"/tea", "/cart"} {
		question, err := json.Marshal(map[string]any{"body": body, "agents": []string{"FooBot"}, "urls": []string{path}})
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.Post("http://"+address+"/v1/check", "application/json", bytes.NewReader(question))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		var result struct{ Answers []struct{ Verdict string } }
		if err != nil || json.Unmarshal(text, &result) != nil || len(result.Answers) != 1 {
			t.Fatalf("%v: %s", err, text)
		}
		if want := robotstxt.Allowed([]byte(body), path, "FooBot"); (result.Answers[0].Verdict == "allowed") != want {
			t.Errorf("%s: want %v, got %s", path, want, text)
		}
	}
}
