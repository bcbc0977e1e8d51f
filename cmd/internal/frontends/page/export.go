package page

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
)

// Export writes the page into a folder for any web host, and creates the folder if it
// does not exist. The page is index.html; its Content-Security-Policy is in a meta
// element, without the ban on frames, which only a header can have. All files are
// uncompressed. Nothing in the folder refers to another host or to the folder's address.
//
// Export overwrites the files of an earlier export, and leaves other files alone.
func Export(folder, version string) error {
	p, err := New(Config{Version: version})
	if err != nil {
		return err
	}
	if p.files["robots.wasm"] == nil {
		return errors.New("page: export: the build has no robots.wasm, without which a folder answers nothing: run build --wasm")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, f := range p.files {
		if err := writeFile(filepath.Join(folder, name), f.open()); err != nil {
			return fmt.Errorf("page: export: %w", err)
		}
	}
	nonce := rand.Text()
	var meta markup.Writer
	meta.Print("\n<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">", strings.Join(policy(nonce), "; "))
	text := bytes.NewReader(p.indexText("none", nonce, meta.HTML(), "    <p>This page needs scripts.</p>"))
	// index.html is written last, so that a new page never refers to files that are not
	// there yet.
	if err := writeFile(filepath.Join(folder, "index.html"), text); err != nil {
		return fmt.Errorf("page: export: %w", err)
	}
	return nil
}

func writeFile(name string, from io.Reader) error {
	return files.Write(name, func(to io.Writer) error {
		_, err := io.Copy(to, from)
		return err
	})
}
