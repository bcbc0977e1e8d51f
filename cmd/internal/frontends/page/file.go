package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
)

// file is a file of the build with its forms. Each form is made once, when it is first needed.
// All responses share its bytes, so a slow reader occupies no extra memory.
type file struct {
	body   []byte // as it is embedded
	stored string // the coding of body: "br", or empty
	kind   string // the Content-Type
	tag    string // for the ETag, without quotes

	plain, brotli, gzip func() []byte
}

// contentTypes has the types of all extensions in dist. The system's table of types
// differs between machines, and a script with a wrong type does not run.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
	".wasm": "application/wasm",
}

func newFile(name string, body []byte) *file {
	digest := sha256.Sum256(body)
	f := &file{body: body, tag: base64.RawURLEncoding.EncodeToString(digest[:12])}
	if plain, ok := strings.CutSuffix(name, ".br"); ok {
		f.stored, name = "br", plain
	}
	f.kind = contentTypes[path.Ext(name)]
	f.plain = sync.OnceValue(func() []byte {
		if f.stored == "" {
			return body
		}
		var to bytes.Buffer
		_, _ = io.Copy(&to, f.open()) // a bytes.Buffer does not fail, and a test reads each embedded file
		return to.Bytes()
	})
	f.brotli = sync.OnceValue(func() []byte {
		if f.stored == "br" {
			return body
		}
		return compress(f.open(), func(to io.Writer) io.WriteCloser { return brotli.NewWriterLevel(to, brotliLevel) })
	})
	f.gzip = sync.OnceValue(func() []byte {
		return compress(f.open(), func(to io.Writer) io.WriteCloser { return gzip.NewWriter(to) })
	})
	return f
}

// brotliLevel is for the small files that the build does not compress.
const brotliLevel = 9

func compress(from io.Reader, writer func(io.Writer) io.WriteCloser) []byte {
	var to bytes.Buffer
	w := writer(&to)
	_, _ = io.Copy(w, from) // a bytes.Buffer does not fail, and a test reads each embedded file
	_ = w.Close()
	return to.Bytes()
}

func (f *file) open() io.Reader {
	if f.stored == "br" {
		return brotli.NewReader(bytes.NewReader(f.body))
	}
	return bytes.NewReader(f.body)
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("Vary", "Accept-Encoding")
	coding, body := "", f.plain
	switch accepted := r.Header.Get("Accept-Encoding"); {
	case accepts(accepted, "br"):
		coding, body = "br", f.brotli
	case accepts(accepted, "gzip"):
		coding, body = "gzip", f.gzip
	}
	text := body()
	header.Set("ETag", `"`+f.tag+`"`)
	if coding != "" {
		header.Set("ETag", `"`+f.tag+"-"+coding+`"`)
		header.Set("Content-Encoding", coding)
		if r.Header.Get("If-Match") == "" { // a response with status 412 has no body
			header.Set("Content-Length", strconv.Itoa(len(text))) // which ServeContent omits for a coding
		}
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// accepts reports whether an Accept-Encoding header allows a coding by its name.
func accepts(header, coding string) bool {
	for element := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(element, ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			weight := strings.ReplaceAll(parameters, " ", "")
			return weight != "q=0" && !strings.HasPrefix(weight, "q=0.000")
		}
	}
	return false
}
