package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
	"github.com/kosterhq/robotstxt/internal/folders"
)

// IsOneFile reports whether [Export] writes one file with a name, and not a folder.
func IsOneFile(name string) bool { return strings.EqualFold(filepath.Ext(name), ".html") }

// Export writes the page. If the name ends with .html, the page is one file, which works
// from a disk and requests nothing. Otherwise it is a folder for any web host, which
// Export creates if it does not exist: the page is index.html, and the other files are
// uncompressed. Nothing refers to another host or to the page's address. The
// Content-Security-Policy is in a meta element, without the ban on frames, which only a
// header can have. Exports of one build are equal.
//
// Export overwrites the files of an earlier export, and leaves other files alone.
func Export(name, version string) error {
	p, err := New(Config{Version: version})
	if err != nil {
		return err
	}
	if p.files["robots.wasm"] == nil {
		return errors.New("page: export: the build has no robots.wasm, without which the page answers nothing: run build --wasm")
	}
	if IsOneFile(name) {
		err = p.exportFile(name)
	} else {
		err = p.exportFolder(name)
	}
	if err != nil {
		return fmt.Errorf("page: export: %w", err)
	}
	return nil
}

const needsScripts markup.HTML = "    <p>This page needs scripts.</p>"

func (p *Page) exportFolder(folder string) error {
	if err := folders.Make(folder, 0o755); err != nil {
		return err
	}
	for name, f := range p.files {
		if err := writeFile(filepath.Join(folder, name), f.open()); err != nil {
			return err
		}
	}
	// index.html is written last, so that a new page never refers to files that are not
	// there yet.
	return writeFile(filepath.Join(folder, "index.html"), bytes.NewReader(p.indexText(document{
		service: "none", policy: metaPolicy(policy(p.build)), parts: p.linkedParts(p.build), form: needsScripts,
	})))
}

// exportFile writes one file: the script and the styles are in it, and the worker, the
// module and the licences are texts that the script reads.
func (p *Page) exportFile(name string) error {
	var parts, data markup.Writer
	plain := map[string][]byte{}
	for _, name := range []string{"page.js", "worker.js", "LICENSES.txt", "page.css"} {
		plain[name] = p.files[name].plain()
		if found := endsElement.Find(plain[name]); found != nil {
			return fmt.Errorf("%s contains %q, which ends its element", name, found)
		}
	}
	script := plain["page.js"]
	parts.Print("<link rel=\"icon\" href=\"data:image/svg+xml;base64,%s\">\n<style nonce=\"%s\">", encoded(p.files["icon.svg"].plain()), p.build)
	parts.Add(markup.HTML(plain["page.css"]))
	parts.Print("</style>\n<script type=\"module\" nonce=\"%s\" id=\"script\">", p.build)
	parts.Add(markup.HTML(script))
	parts.Add("</script>")
	for _, part := range []struct{ id, text string }{
		{"worker-text", string(plain["worker.js"])},
		{"licences-text", string(plain["LICENSES.txt"])},
		{"module-text", encoded(p.files["robots.wasm"].gzip())},
	} {
		data.Print("\n<script type=\"text/plain\" id=\"%s\">", part.id)
		data.Add(markup.HTML(part.text))
		data.Add("</script>")
	}
	digest := sha256.Sum256(script)
	return writeFile(name, bytes.NewReader(p.indexText(document{
		service: "none", policy: metaPolicy(filePolicy(encoded(digest[:]), p.build)), parts: parts.HTML(),
		form: needsScripts, data: data.HTML(),
	})))
}

// endsElement matches a text that a script or style element cannot contain.
var endsElement = regexp.MustCompile(`(?i)<(?:/script|/style|!--)`)

func encoded(body []byte) string { return base64.StdEncoding.EncodeToString(body) }

func metaPolicy(directives []string) markup.HTML {
	var w markup.Writer
	w.Print("\n<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">", strings.Join(directives, "; "))
	return w.HTML()
}

func writeFile(name string, from io.Reader) error {
	return files.Write(name, func(to io.Writer) error {
		_, err := io.Copy(to, from)
		return err
	})
}
