package urllist

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// The limits of the sitemaps protocol for a sitemap, which apply to those that are fetched.
const (
	SitemapBytes = 50 << 20 // uncompressed
	SitemapURLs  = 50_000
)

// The limits of sitemap indexes. The protocol allows 50,000 sitemaps in an index. It forbids
// an index in an index, but some sites have one.
const (
	maxSitemaps = 50_000   // sitemaps of an index and of the indexes below it
	maxIndex    = 16 << 20 // bytes of their URLs
	maxDepth    = 2        // nested indexes
	maxNesting  = 32       // nested elements
	maxText     = 64 << 10 // bytes of a URL
)

// budget is what is left for the sitemaps of an index.
type budget struct {
	sitemaps, bytes int
	seen            map[string]bool
}

func newBudget() *budget {
	return &budget{sitemaps: maxSitemaps, bytes: maxIndex, seen: make(map[string]bool)}
}

// sitemap reads the URLs of a sitemap, or of the sitemaps of an index. It begins after a
// number of lines.
func (w *walk) sitemap(text *bufio.Reader, lines int) error {
	in := &tokenReader{r: text}
	s := &sitemap{walk: w, in: in, decoder: xml.NewDecoder(in), lines: lines}
	s.decoder.CharsetReader = charset
	err := s.read()
	switch {
	case err == io.EOF && len(s.path) == 0:
		return s.children()
	case err == io.EOF:
		err = errors.New("it ends within an element")
	}
	if errors.Is(err, errEnough) || errors.As(err, new(*term.Error)) {
		return err
	}
	if strings.HasPrefix(err.Error(), "xml: opening charset ") { // which wraps the error of charset
		err = errors.Unwrap(err)
	}
	problem := fmt.Sprintf("cannot be read: %v", term.Cause(err))
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		problem = "is not valid XML: " + syntax.Msg
		if syntax.Msg == "unexpected EOF" {
			problem = "ends too early"
		}
	}
	if err := w.bad(s.line(), "the URLs after it are missing", "the sitemap %s", problem); err != nil {
		return err
	}
	return s.children()
}

type sitemap struct {
	*walk
	in      *tokenReader
	decoder *xml.Decoder
	lines   int // before it

	path    []string // the elements around the position
	isIndex bool
	loc     strings.Builder
	locLine int
	listed  []listed // by an index
}

type listed struct {
	url  string
	line int
}

func (s *sitemap) line() int {
	line, _ := s.decoder.InputPos()
	return s.lines + line
}

// tokensPerURL limits the XML tokens of a sitemap, for each URL that it can have. A URL with
// its date has twelve, and each language or image adds up to six. 50 MiB of empty elements
// have five hundred, and take seconds to read.
const tokensPerURL = 100

func (s *sitemap) read() error {
	for tokens := 0; ; tokens++ {
		s.in.left = maxLine
		token, err := s.decoder.RawToken()
		if err == nil && s.MaxURLs > 0 && tokens > tokensPerURL*s.MaxURLs {
			err = errors.New("it has too many elements for its URLs")
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			err = s.start(t.Name.Local)
		case xml.EndElement:
			err = s.end()
		case xml.CharData:
			if s.inLoc() && s.loc.Len()+len(t) <= maxText {
				s.loc.Write(t)
			}
		}
		if err != nil {
			return err
		}
	}
}

func (s *sitemap) start(name string) error {
	switch len(s.path) {
	case 0:
		switch name {
		case "urlset":
			s.found("a sitemap")
		case "sitemapindex":
			s.isIndex = true
			s.found("a sitemap index")
		default:
			return term.Errorf("%s is not a sitemap: it begins with <%s>", s.Name, term.Clip(term.Escape(name), 40)).Hint("give the sitemap itself")
		}
	case maxNesting:
		return errors.New("its elements are nested too deeply")
	}
	s.path = append(s.path, name)
	if s.inLoc() {
		s.loc.Reset()
		s.locLine = s.line()
	}
	return nil
}

// inLoc reports whether the position is in the address of a page or a sitemap. The
// addresses of images and videos are deeper.
func (s *sitemap) inLoc() bool {
	return len(s.path) == 3 && s.path[2] == "loc" && (s.path[1] == "url" || s.path[1] == "sitemap")
}

func (s *sitemap) end() error {
	if len(s.path) == 0 {
		return errors.New("an element ends that has not begun")
	}
	isLoc := s.inLoc()
	s.path = s.path[:len(s.path)-1]
	if !isLoc {
		return nil
	}
	if s.isIndex {
		return s.list(strings.TrimSpace(s.loc.String()))
	}
	return s.emit(s.locLine, s.loc.String())
}

func (s *sitemap) list(url string) error {
	switch b := s.index; {
	case !isURL(url):
		return s.bad(s.locLine, "", "%s: %s", quote(url), badHost)
	case b.seen[url]:
		return nil
	case b.sitemaps == 0 || b.bytes < len(url):
		return errors.New("it lists too many sitemaps")
	default:
		b.seen[url] = true
		b.sitemaps--
		b.bytes -= len(url)
	}
	s.listed = append(s.listed, listed{url, s.locLine})
	return nil
}

// children reads the sitemaps of an index. An error in one of them belongs to that sitemap
// only.
func (s *sitemap) children() error {
	if len(s.listed) > 0 && s.Fetch == nil {
		return term.Errorf("%s is a sitemap index, whose sitemaps cannot be fetched here", s.Name).Hint("give the sitemaps one by one")
	}
	for _, child := range s.listed {
		if s.depth == maxDepth {
			return s.bad(child.line, "", "the sitemap index is nested too deeply")
		}
		if err := s.child(child); err != nil {
			return err
		}
	}
	return nil
}

func (s *sitemap) child(from listed) error {
	body, err := s.Fetch(from.url)
	if err != nil {
		return s.bad(from.line, term.HintOf(err), "%s: %v", term.Excerpt(shownName(from.url)), err)
	}
	defer body.Close()
	config := s.Config
	config.Name, config.Format, config.Column, config.Note = from.url, Auto, "", nil
	config.Limit, config.MaxURLs = SitemapBytes, SitemapURLs
	child := New(body, config)
	child.depth, child.index = s.depth+1, s.index
	err = child.yieldAll(s.yield)
	if err == nil || errors.Is(err, errEnough) {
		return err
	}
	return s.bad(from.line, "", "%s: %v", term.Excerpt(shownName(from.url)), term.Cause(err))
}

// limitedReader returns an error if there are more bytes than its limit.
type limitedReader struct {
	r     io.Reader
	left  int64
	limit int64
}

func (l *limitedReader) Read(p []byte) (int, error) {
	n, err := 0, error(nil)
	if l.left >= 0 {
		n, err = l.r.Read(p[:min(int64(len(p)), l.left+1)])
		l.left -= int64(n)
	}
	if l.left < 0 {
		return max(n-1, 0), fmt.Errorf("it is over %d MiB long", l.limit>>20)
	}
	return n, err
}

// tokenReader bounds the bytes of a token, because the decoder reads each one into memory.
type tokenReader struct {
	r    *bufio.Reader
	left int
}

func (t *tokenReader) ReadByte() (byte, error) {
	if t.left--; t.left < 0 {
		return 0, fmt.Errorf("an element or a text in it is %v", errTooLong)
	}
	return t.r.ReadByte()
}

func (t *tokenReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	c, err := t.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = c
	return 1, nil
}

// charset decodes the encodings that an XML declaration can state besides UTF-8. UTF-16 is
// decoded already.
func charset(name string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii":
		return r, nil
	case "iso-8859-1", "latin1", "windows-1252":
		return charmap.Windows1252.NewDecoder().Reader(r), nil
	default:
		return nil, fmt.Errorf("its encoding is %.40q: use UTF-8", name)
	}
}
