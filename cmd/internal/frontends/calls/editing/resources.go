package editing

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/origin"
)

// ResourcesRequest is a query for the files that a web page loads.
type ResourcesRequest struct {
	// HTML is the page. A service fetches the URL if it is missing.
	HTML *string `json:"html,omitempty" doc:"The page. If it is missing, a service fetches the URL."`

	// URL is the absolute URL of the page.
	URL string `json:"url" doc:"The URL of the page."`
}

// Resources returns the files that a page loads: styles, scripts, images and the like, each
// once, in the order of the page. It does not run scripts and does not read styles, so it
// misses files that only these load.
func Resources(ctx context.Context, r *ResourcesRequest, limits calls.Limits) (*wire.Resources, error) {
	if r.HTML == nil {
		return nil, &calls.Error{Code: calls.CodeInvalid, Field: "html", Message: "it is missing", Hint: "give the content of the page"}
	}
	if err := calls.Exceeded("html", "HTMLBytes", len(*r.HTML), limits.Filled().HTMLBytes, "bytes"); err != nil {
		return nil, err
	}
	if err := limits.Texts("url", r.URL); err != nil {
		return nil, err
	}
	base := origin.Text(r.URL)
	if !isWeb(base) {
		return nil, calls.Invalid("url", errors.New("it is not an absolute http or https URL"))
	}
	return resourcesOf(ctx, strings.NewReader(*r.HTML), base, limits)
}

// resourcesOf reads a page tag by tag, which takes no memory for a tree.
func resourcesOf(ctx context.Context, page io.Reader, base origin.URL, limits calls.Limits) (*wire.Resources, error) {
	f := &pageReader{base: base, known: make(map[string]bool), limits: limits.Filled(),
		result: &wire.Resources{URL: base.String(), Resources: []wire.Resource{}}}
	tokens := html.NewTokenizer(page)
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch tokens.Next() {
		case html.ErrorToken:
			return f.result, nil // the end of the page
		case html.StartTagToken, html.SelfClosingTagToken:
			name, hasAttributes := tokens.TagName()
			tag := atom.Lookup(name)
			if hasAttributes {
				f.tag(tag, attributesOf(tokens))
			}
		}
	}
}

type pageReader struct {
	base   origin.URL
	based  bool // by a base element: the first one with an address applies, if it can
	known  map[string]bool
	limits calls.Limits
	size   int // of the URLs in the result, in bytes
	result *wire.Resources
}

// attributesOf returns the attributes of a tag. If several have one name, the first applies.
func attributesOf(tokens *html.Tokenizer) map[string]string {
	attributes := make(map[string]string)
	for more := true; more; {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		if _, known := attributes[string(key)]; !known {
			attributes[string(key)] = string(value)
		}
	}
	return attributes
}

// kinds are the elements whose attribute src names a file, with the kind of the file.
var kinds = map[atom.Atom]wire.ResourceKind{
	atom.Script: wire.ResourceScript,
	atom.Img:    wire.ResourceImage,
	atom.Iframe: wire.ResourceFrame,
	atom.Frame:  wire.ResourceFrame,
	atom.Embed:  wire.ResourceFrame,
	atom.Audio:  wire.ResourceMedia,
	atom.Video:  wire.ResourceMedia,
	atom.Track:  wire.ResourceMedia,
	atom.Source: wire.ResourceMedia,
}

func (f *pageReader) tag(tag atom.Atom, attributes map[string]string) {
	if kind, ok := kinds[tag]; ok {
		f.add(kind, attributes["src"])
	}
	switch tag {
	case atom.Base:
		if href, ok := attributes["href"]; ok && !f.based {
			f.setBase(href)
		}
	case atom.Link:
		f.link(attributes)
	case atom.Img, atom.Source:
		f.set(attributes["srcset"])
	case atom.Video:
		f.add(wire.ResourceImage, attributes["poster"])
	case atom.Object:
		f.add(wire.ResourceFrame, attributes["data"])
	case atom.Input:
		if strings.EqualFold(attributes["type"], "image") {
			f.add(wire.ResourceImage, attributes["src"])
		}
	case atom.Image:
		f.add(wire.ResourceImage, attributes["href"])
		f.add(wire.ResourceImage, attributes["xlink:href"])
	}
}

// setBase takes the base of the page, unless it is not a web address. [HTML 4.2.3, "frozen base URL"]
func (f *pageReader) setBase(href string) {
	if most := f.limits.TextBytes; most >= 0 && len(href) > most {
		f.result.Truncated = true // each URL would repeat it
		return
	}
	f.based = true
	if base := f.base.Resolve(href); isWeb(base) {
		f.base = base
		f.result.URL = base.String()
	}
}

// link adds the file of a link element, if a browser loads it for the page.
func (f *pageReader) link(attributes map[string]string) {
	relations := strings.Fields(strings.ToLower(attributes["rel"]))
	switch {
	case slices.Contains(relations, "stylesheet"):
		f.add(wire.ResourceStyle, attributes["href"])
	case slices.Contains(relations, "icon"), slices.Contains(relations, "apple-touch-icon"), slices.Contains(relations, "mask-icon"):
		f.add(wire.ResourceImage, attributes["href"])
	case slices.Contains(relations, "modulepreload"):
		f.add(wire.ResourceScript, attributes["href"])
	case slices.Contains(relations, "manifest"):
		f.add(wire.ResourceOther, attributes["href"])
	case slices.Contains(relations, "preload"):
		kind, ok := preloaded[strings.ToLower(attributes["as"])]
		if !ok {
			kind = wire.ResourceOther
		}
		f.add(kind, attributes["href"])
		f.set(attributes["imagesrcset"])
	}
}

// preloaded are the values of the attribute as.
var preloaded = map[string]wire.ResourceKind{
	"style": wire.ResourceStyle, "script": wire.ResourceScript, "image": wire.ResourceImage, "font": wire.ResourceFont,
	"video": wire.ResourceMedia, "audio": wire.ResourceMedia, "track": wire.ResourceMedia, "document": wire.ResourceFrame,
}

// set adds the images of a srcset: addresses, each with a width or a density after a space, and
// with commas between them.
func (f *pageReader) set(list string) {
	for list != "" {
		list = strings.TrimLeft(list, " \t\r\n\f,")
		address, rest, _ := strings.Cut(list, " ")
		trimmed := strings.TrimRight(address, ",")
		f.add(wire.ResourceImage, trimmed)
		if trimmed != address { // without a descriptor
			list = rest
			continue
		}
		_, list, _ = strings.Cut(rest, ",")
	}
}

// add adds a file, unless it is there already or its URL is not http or https.
func (f *pageReader) add(kind wire.ResourceKind, address string) {
	if strings.TrimSpace(address) == "" || f.result.Truncated {
		return
	}
	absolute := f.base.Resolve(address)
	if !isWeb(absolute) {
		return
	}
	text := absolute.String()
	switch {
	case f.known[text]:
	case reached(len(f.result.Resources), f.limits), f.limits.ListBytes >= 0 && f.size+len(text) > f.limits.ListBytes:
		f.result.Truncated = true
	default:
		f.known[text] = true
		f.size += len(text)
		f.result.Resources = append(f.result.Resources, wire.Resource{URL: text, Kind: kind})
	}
}

// isWeb reports whether a URL is one of http or https with a host.
func isWeb(u origin.URL) bool {
	o, err := u.Origin()
	return err == nil && o.Scheme() != "ftp"
}
