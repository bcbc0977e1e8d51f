package permission

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/origin"
)

const namespaceRSL = "https://rslstandard.org/rsl"

// License is an RSL document [RSL 3]. If only Problem is set, the site does not have the
// document.
type License struct {
	Problem string // why the document is not valid, so that it licenses nothing; empty if it is valid
	Cut     bool   // the document is not read to the end

	contents       []content
	paths          *patterns // of contents
	ofSite, ofPage atomic.Pointer[matchedURL]
}

type content struct {
	url    string // a path pattern, or an absolute URL with one
	server bool   // a license of a server is needed, even if it is free

	absolute bool // it is about this site only
	site     origin.Origin

	terms []terms
}

// terms are a license element. The lists are usages; nil without an element for them.
type terms struct {
	permits, prohibits []string
	who                bool   // it depends on the user or the country
	payment            string // empty: free
}

// rslParents are the elements of the namespace, with those that must contain them, if that matters.
// An element of the namespace that is not listed makes a document invalid.
var rslParents = map[string]string{
	"rsl": "", "content": "rsl", "license": "content", "permits": "license", "prohibits": "license", "payment": "license",
	"legal": "", "reporting": "", "standard": "", "custom": "", "amount": "",
	"copyright": "", "terms": "", "schema": "", "alternate": "",
}

const maxDepth = 32 // of elements

var errTooMany = errors.New("too many elements")

// ReadLicense reads an RSL document in UTF-8, whatever encoding it declares: at most 1 MiB, 10,000 content
// elements and 32 levels of elements. A longer document is not valid. Package permission/page reads documents in
// other encodings.
func ReadLicense(text []byte) *License {
	if len(text) > maxDocument {
		return &License{Cut: true, Problem: "it is longer than 1 MiB"}
	}
	r := rslReader{decoder: xml.NewDecoder(bytes.NewReader(text))}
	r.decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	for {
		token, err := r.decoder.Token()
		if err == io.EOF && r.root {
			return (&License{contents: r.contents}).compile()
		}
		if err == nil {
			err = r.read(token)
		}
		switch {
		case errors.Is(err, errTooMany):
			return &License{Cut: true, Problem: "it has more than 10,000 content elements"}
		case err == io.EOF:
			return &License{Problem: "it has no rsl element in the namespace " + namespaceRSL}
		case err != nil:
			return &License{Problem: strings.ToValidUTF8(err.Error(), "?")}
		}
	}
}

type rslReader struct {
	decoder  *xml.Decoder
	path     []string // of open elements; "" for elements of other namespaces
	root     bool
	contents []content
	kind     string // of the permits or prohibits that is open: usage, user or geo
	text     strings.Builder
	seen     map[string]bool // the lists of the license that is open
}

func (r *rslReader) read(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return r.start(t)
	case xml.EndElement:
		return r.end()
	case xml.CharData:
		if n := len(r.path); n > 0 && (r.path[n-1] == "permits" || r.path[n-1] == "prohibits") {
			r.text.Write(t)
		}
	}
	return nil
}

func (r *rslReader) start(t xml.StartElement) error {
	parent := ""
	if n := len(r.path); n > 0 {
		parent = r.path[n-1]
	}
	name := t.Name.Local
	if t.Name.Space != namespaceRSL {
		name = ""
	}
	switch {
	case len(r.path) == maxDepth:
		return fmt.Errorf("it has more than %d levels of elements", maxDepth)
	case len(r.path) == 0 && name != "rsl":
		return fmt.Errorf("its first element is not rsl in the namespace %s", namespaceRSL)
	case name != "":
		of, known := rslParents[name]
		if !known {
			return fmt.Errorf("the namespace has no element %.40q", name)
		}
		if of != "" && of != parent {
			return fmt.Errorf("the element %s is not in %s", name, of)
		}
	}
	r.path = append(r.path, name)
	r.root = true
	return r.attributes(name, t.Attr)
}

func (r *rslReader) attributes(name string, attributes []xml.Attr) error {
	value := func(key string) (string, bool) {
		for _, a := range attributes {
			if a.Name.Local == key && a.Name.Space == "" {
				return a.Value, true
			}
		}
		return "", false
	}
	switch name {
	case "content":
		if len(r.contents) == maxEntries {
			return errTooMany
		}
		url, _ := value("url")
		_, server := value("server")
		r.contents = append(r.contents, content{url: strings.TrimSpace(url), server: server})
	case "license":
		c := &r.contents[len(r.contents)-1]
		c.terms = append(c.terms, terms{})
		r.seen = map[string]bool{}
	case "permits", "prohibits":
		r.kind, _ = value("type")
		r.text.Reset()
		if r.kind != "usage" && r.kind != "user" && r.kind != "geo" {
			return fmt.Errorf("the type of %s is not usage, user or geo", name)
		}
		if r.seen[name+r.kind] {
			return fmt.Errorf("a license has two %s elements of type %s", name, r.kind)
		}
		r.seen[name+r.kind] = true
	case "payment":
		if kind, _ := value("type"); kind != "free" {
			r.openLicense().payment = kind
		}
	}
	return nil
}

func (r *rslReader) openLicense() *terms {
	c := &r.contents[len(r.contents)-1]
	return &c.terms[len(c.terms)-1]
}

func (r *rslReader) end() error {
	name := r.path[len(r.path)-1]
	r.path = r.path[:len(r.path)-1]
	if name != "permits" && name != "prohibits" {
		return nil
	}
	if r.kind != "usage" {
		r.openLicense().who = true
		return nil
	}
	// Version 0.9 has commas instead of spaces.
	isSeparator := func(c rune) bool { return strings.ContainsRune(" \t\r\n,", c) }
	words := append([]string{}, strings.FieldsFunc(r.text.String(), isSeparator)...) // not nil
	if name == "permits" {
		r.openLicense().permits = words
	} else {
		r.openLicense().prohibits = words
	}
	return nil
}

// rslUsages are the usages of each purpose, and after each the wider ones that include it.
var rslUsages = map[crawlers.Purpose][][]string{
	search:     {{"search", "all"}},
	aiSearch:   {{"ai-input", "ai-all", "all"}, {"ai-index", "ai-all", "all"}},
	aiTraining: {{"ai-train", "ai-all", "all"}},
}

// says returns the statement of a license about a purpose. If permits and prohibits both apply,
// the narrower usage wins. A usage in both is not licensed. Permits enumerate, so a usage that
// they do not list is not permitted [RSL 3.1.1]. If a purpose has two usages, only the usages
// that the license mentions apply, and the stricter wins: our reading.
func (t *terms) says(p crawlers.Purpose, server bool) Says {
	said := Says("")
	for _, chain := range rslUsages[p] {
		permitted, prohibited := narrowest(chain, t.permits), narrowest(chain, t.prohibits)
		if permitted == len(chain) && prohibited == len(chain) {
			continue
		}
		if prohibited <= permitted {
			return SaysNo
		}
		said = SaysYes
	}
	if said == "" && t.permits != nil {
		return SaysNo
	}
	if t.payment != "" || t.who || server {
		return SaysReserved
	}
	return SaysYes
}

// narrowest returns the place of the first usage of a chain that is in a list, or the length of
// the chain if no usage is.
func narrowest(chain, list []string) int {
	for i, usage := range chain {
		if slices.Contains(list, usage) {
			return i
		}
	}
	return len(chain)
}

// says returns the statement of a content element about a purpose. Several licenses are
// offers, and a user may choose one of them. Content without a license is not licensed.
func (c *content) says(p crawlers.Purpose) Says {
	if len(c.terms) == 0 {
		return SaysReserved
	}
	best := SaysNo
	for i := range c.terms {
		switch s := c.terms[i].says(p, c.server); {
		case s == SaysYes:
			return SaysYes
		case s == SaysReserved:
			best = s
		}
	}
	return best
}

func (c *content) text() string {
	text := "content " + withoutUser(c.url)
	if c.server {
		text += ", with a license server"
	}
	for i, t := range c.terms {
		if i == 3 {
			text += ", and other licenses"
			break
		}
		text += ": "
		if t.permits != nil {
			text += "permits " + strings.Join(t.permits, " ") + ", "
		}
		if t.prohibits != nil {
			text += "prohibits " + strings.Join(t.prohibits, " ") + ", "
		}
		if t.who {
			text += "for some users or countries, "
		}
		if t.payment == "" {
			text += "free"
		} else {
			text += "payment " + t.payment
		}
	}
	return text
}
