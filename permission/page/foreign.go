package page

import "slices"

// foreign are the elements of SVG and MathML that are open, as far as they matter: the drawings and
// formulas, and the elements in them that contain HTML again [HTML 13.2.6.5].
type foreign struct {
	open []string
}

// maxForeign is how many open elements of this kind are tracked. Deeper elements change
// nothing.
const maxForeign = 32

// integration are the elements of SVG and MathML that contain HTML.
var integration = []string{"foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "annotation-xml"}

// breakout are HTML elements that end a drawing or formula. The element font is not among them, because
// it does so with some attributes only.
var breakout = []string{
	"b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2", "h3", "h4", "h5", "h6",
	"head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike",
	"sub", "sup", "table", "tt", "u", "ul", "var",
}

// inside reports whether the next tag is one of SVG or MathML.
func (f *foreign) inside() bool {
	return len(f.open) > 0 && !slices.Contains(integration, f.open[len(f.open)-1])
}

// start reads a start tag, and reports whether it is an element of SVG or MathML.
func (f *foreign) start(tag string, closed bool) bool {
	inside := f.inside()
	switch {
	case tag == "svg" || tag == "math":
	case !inside:
		return false
	case slices.Contains(breakout, tag):
		for f.inside() {
			f.open = f.open[:len(f.open)-1]
		}
		return false
	case !slices.Contains(integration, tag):
		return true
	}
	if !closed && len(f.open) < maxForeign {
		f.open = append(f.open, tag)
	}
	return true
}

// end reads an end tag, and reports whether it is one of SVG or MathML. The end of an element of
// HTML around a drawing or formula ends that too.
func (f *foreign) end(tag string) bool {
	if len(f.open) == 0 {
		return false
	}
	if tag == "svg" || tag == "math" || slices.Contains(integration, tag) {
		for i := len(f.open) - 1; i >= 0; i-- {
			if f.open[i] == tag {
				f.open = f.open[:i]
				return true
			}
		}
	}
	if !f.inside() {
		return false
	}
	if !slices.Contains(breakout, tag) {
		return true
	}
	for f.inside() {
		f.open = f.open[:len(f.open)-1]
	}
	return false
}
