// Command image makes the container image of robots serve without a daemon: the program, the
// certificates of public authorities, the licences and the list of components (SBOM). The
// same files give the same bytes. Docker, Podman and containerd load the result, and tools
// such as crane push it.
//
//	go run ./deploy/image -version v0.1.0 -out robots.tar && docker load -i robots.tar
//	docker run --rm --memory 2g --read-only --cap-drop ALL -p 127.0.0.1:8070:8070 robots:v0.1.0
//
// The program is built in the checkout, without the list of components. With -files, it
// comes from a release: an unpacked archive of .ci/binaries.
package main

import (
	"archive/tar"
	"bytes"

	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

func main() {
	var c config
	flag.StringVar(&c.version, "version", "", "the version of the program, and the tag")
	flag.StringVar(&c.architecture, "architecture", "amd64", "as in GOARCH")
	flag.StringVar(&c.files, "files", "", "a `folder` with robots, its licences and robots.cdx.json; without it they are made from the checkout")
	out := flag.String("out", "", "the `file` to write, a tar archive")
	flag.Parse()
	if err := write(c, *out); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

type config struct {
	version      string
	architecture string
	files        string // the folder
}

// user is the number of an account that no system has, for programs in containers.
const user = "65532:65532"

// write makes the image and writes it, tagged robots:VERSION.
func write(c config, out string) error {
	if c.version == "" || out == "" {
		return errors.New("-version and -out are required")
	}
	if c.files == "" {
		folder, err := os.MkdirTemp("", "image")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		if err := checkout(folder, c.architecture); err != nil {
			return err
		}
		c.files = folder
	}
	image, err := build(c)
	if err != nil {
		return err
	}
	tag, err := name.NewTag("robots:" + c.version)
	if err != nil {
		return err
	}
	return tarball.WriteToFile(out, tag, image)
}

// checkout builds the program and copies the licences of the checkout into a folder.
func checkout(folder, architecture string) error {
	compile := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s", "-o", filepath.Join(folder, "robots"), "github.com/kosterhq/robotstxt/cmd/robots")
	compile.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+architecture)
	if out, err := compile.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	found, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/kosterhq/robotstxt").Output()
	if err != nil {
		return err
	}
	for name, from := range map[string]string{"LICENSE": "LICENSE", "THIRD_PARTY_NOTICES": "cmd/THIRD_PARTY_NOTICES", "PAGE_LICENSES": "cmd/internal/frontends/page/dist/LICENSES.txt"} {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(found)), from))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// documents is the folder of the licences and of the list of components.
const documents = "usr/share/doc/robots/"

// build makes the image. Its time is the modification time of the program's file.
func build(c config) (v1.Image, error) {
	program, err := os.Stat(filepath.Join(c.files, "robots"))
	if err != nil {
		return nil, err
	}
	made := program.ModTime().UTC().Truncate(time.Second)
	certificates, err := layer(made, map[string]file{"etc/ssl/certs/ca-certificates.crt": {content: authorities()}})
	if err != nil {
		return nil, err
	}
	files := map[string]file{}
	for from, to := range map[string]string{
		"robots": "robots", "robots.cdx.json": documents + "robots.cdx.json",
		"LICENSE": documents + "LICENSE", "THIRD_PARTY_NOTICES": documents + "THIRD_PARTY_NOTICES", "PAGE_LICENSES": documents + "PAGE_LICENSES",
	} {
		content, err := os.ReadFile(filepath.Join(c.files, from))
		if from == "robots.cdx.json" && errors.Is(err, fs.ErrNotExist) {
			continue // of a checkout
		}
		if err != nil {
			return nil, err
		}
		files[to] = file{content, from == "robots"}
	}
	contents, err := layer(made, files)
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(empty.Image, certificates, contents)
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, configFile(c, made, image))
}

func configFile(c config, made time.Time, image v1.Image) *v1.ConfigFile {
	file, err := image.ConfigFile()
	if err != nil {
		file = &v1.ConfigFile{} // mutate reports what is wrong with the layers
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Created = "linux", c.architecture, v1.Time{Time: made}
	file.Config = v1.Config{
		User:       user,
		Entrypoint: []string{"/robots", "serve"},
		// Within the container; the ports that are published decide what is reachable. There
		// is no directory to write to: mount one and set ROBOTS_SERVE_CACHE, or use a server.
		Env:          []string{"ROBOTS_SERVE_LISTEN=0.0.0.0:8070", "ROBOTS_SERVE_CACHE=none", "ROBOTS_SERVE_LOG=json"},
		ExposedPorts: map[string]struct{}{"8070/tcp": {}},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "robots",
			"org.opencontainers.image.version":  c.version,
			"org.opencontainers.image.source":   "https://github.com/kosterhq/robotstxt",
			"org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return file
}

type file struct {
	content    []byte
	executable bool
}

// layer returns a layer with files and their folders. All belong to root, and no account may
// write them.
func layer(made time.Time, files map[string]file) (v1.Layer, error) {
	headers := map[string]*tar.Header{}
	for path, f := range files {
		mode := int64(0o444)
		if f.executable {
			mode = 0o555
		}
		headers[path] = &tar.Header{Typeflag: tar.TypeReg, Name: path, Mode: mode, Size: int64(len(f.content)),
			ModTime: made, Format: tar.FormatPAX}
		for folder := filepath.Dir(path); folder != "."; folder = filepath.Dir(folder) {
			headers[folder] = &tar.Header{Typeflag: tar.TypeDir, Name: folder + "/", Mode: 0o555, ModTime: made,
				Format: tar.FormatPAX}
		}
	}
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, path := range slices.Sorted(maps.Keys(headers)) {
		if err := w.WriteHeader(headers[path]); err != nil {
			return nil, err
		}
		if _, err := w.Write(files[path].content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(archive.Bytes())), nil
	})
}

// authorities returns the certificates of Mozilla's list, at the version that go.mod
// requires. Those that may only certify some sites or until a date are left out, because a
// file cannot say so.
func authorities() []byte {
	var text bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a Buffer has no errors
		}
	}
	return text.Bytes()
}
