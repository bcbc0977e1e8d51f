package semdiff

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/internal/pattern"
)

// Agreement is whether two rules have the same verdicts.
type Agreement struct {
	Agree   bool // they have; this and its contrary are proved
	Decided bool // otherwise Agree is false without a proof
	Steps   int  // how much of Config.Steps was used
}

// Agree compares the verdicts of two rules: the rules of two crawlers, or of one crawler in two
// dialects. It decides nothing if the budget runs out, or if the dialects differ and one is
// Koster1996, which ignores the query.
//
// If the dialects differ, Agree covers only URLs whose percent codes are in upper case and
// encode octets that browsers encode in a path. For other URLs, such as /%61, the dialects
// differ for nearly every rule. If a dialect always allows /robots.txt, Agree omits that path.
// If ctx ends, Agree returns ctx's error.
func Agree(ctx context.Context, a, b robotstxt.Rules, config Config) (Agreement, error) {
	s := newSolver(ctx, b.Dialect(), b.Dialect(), config.steps())
	var found Agreement
	found.Agree, found.Decided = s.agree(a, b)
	found.Steps = config.steps() - s.budget.steps
	return found, ctx.Err()
}

// agree is Agree. The solver is for the dialect of b.
func (s *solver) agree(a, b robotstxt.Rules) (agree, decided bool) {
	from, to := a.Dialect(), b.Dialect()
	if from != to && imagesOf(from).hasQuery() && imagesOf(to).hasQuery() && alike(a, b, imagesOf(from), imagesOf(to)) {
		return true, true
	}
	s.any = true
	var sides [2]claims
	switch {
	case from == to:
		sides = [2]claims{s.claims(0, a), s.claims(0, b)}
	case !imagesOf(from).hasQuery() || !imagesOf(to).hasQuery():
		return false, false
	default:
		for side, rules := range [2]robotstxt.Rules{a, b} {
			own := [2]robotstxt.Dialect{from, to}[side]
			reader := &solver{dialects: [2]robotstxt.Dialect{own, own}}
			sides[side] = reader.numbered(0, rules, nil,
				func(p spelling) int32 { return s.patterns.number(p.translated(own, to)) })
			s.partial = s.partial || reader.partial
		}
	}
	for side := range sides {
		c := &sides[side]
		c.list = slices.DeleteFunc(c.list, func(c claim) bool { return c.line == 0 }) // the claim about /robots.txt
		*c = s.tidy(*c)
	}
	if s.partial {
		return false, false
	}
	if sameClaims(sides) {
		return true, true
	}
	s.budget.spend(readSteps*(len(sides[0].list)+len(sides[1].list)), 0)
	found := s.decide(sides[0], sides[1])
	return found.equal()
}

// alike reports whether rules of two dialects have the same verdicts for the URLs that Agree
// covers because they match the same URLs and are in the same order, as most rules are. It
// compares a pattern as it is if its octets are their own images in both dialects, and
// translates any other pattern first. A slash is an ordinary octet in patterns without %2F, see package pattern. An
// Allow of an index page can have a second pattern. Translation can change a pattern's length, but
// must not change which of two rules with different verdicts is stronger.
func alike(old, new robotstxt.Rules, from, to *images) bool {
	a := ruleLists.Get().(*[2][]robotstxt.Rule)
	defer func() {
		clear(a[0]) // the texts of the file
		clear(a[1])
		if cap(a[0]) <= maxKeptRules {
			ruleLists.Put(a)
		}
	}()
	for side, rules := range [2]robotstxt.Rules{old, new} {
		a[side] = appendRules(a[side][:0], rules)
	}
	if len(a[0]) != len(a[1]) {
		return false
	}
	var moved []int // rules whose length differs
	for i := range a[0] {
		if !alikeRules(&a[0][i], &a[1][i], from, to) {
			return false
		}
		if a[0][i].Length != a[1][i].Length {
			moved = append(moved, i)
		}
	}
	if len(a[0]) == 0 {
		return old.Allowed("/") == new.Allowed("/") // there might be no file
	}
	return len(moved) <= maxMoved && sameOrder(a[0], a[1], moved)
}

var ruleLists = sync.Pool{New: func() any { return new([2][]robotstxt.Rule) }}

const maxKeptRules = 1 << 12

const maxMoved = 32

// alikeRules reports whether two rules have the same verdict and match the same of the URLs
// that Agree covers.
func alikeRules(a, b *robotstxt.Rule, from, to *images) bool {
	if a.Allow != b.Allow || (a.Length == 0) != (b.Length == 0) {
		return false
	}
	if a.Allow && strings.Contains(a.Pattern, "/index.htm") {
		return false
	}
	if a.Pattern == b.Pattern && a.Length == b.Length && isPlain(strings.TrimSuffix(a.Pattern, "$"), from, to) {
		return true
	}
	own, isOne := onlySlashed(a.Pattern, from.dialect)
	other, areOne := onlySlashed(b.Pattern, to.dialect)
	if !isOne || !areOne {
		return false
	}
	if own.MatchesNone() {
		return other.MatchesNone()
	}
	return spell(0, own).translated(from.dialect, to.dialect) == spell(0, other)
}

// onlySlashed returns the pattern in which a slash is an ordinary octet, and false if there are
// several, see pattern.Slashed.
func onlySlashed(text string, dialect robotstxt.Dialect) (only pattern.Pattern, ok bool) {
	p := pattern.New(text, true)
	if !dialect.Traits().QuerySlash || !strings.Contains(text, pattern.CodedSlash) {
		return p, true
	}
	for slashed := range p.Slashed() {
		if ok {
			return only, false
		}
		only, ok = slashed, true
	}
	return only, ok
}

func sameOrder(a, b []robotstxt.Rule, moved []int) bool {
	for _, i := range moved {
		for j := range a {
			isOther := a[i].Allow != a[j].Allow && a[j].Length > 0
			if isOther && (weightOf(&a[i]) > weightOf(&a[j])) != (weightOf(&b[i]) > weightOf(&b[j])) {
				return false
			}
		}
	}
	return true
}

func weightOf(rule *robotstxt.Rule) pattern.Weight {
	return pattern.Weigh(rule.Length, rule.Allow, rule.Line)
}

// isPlain reports whether the octets of a pattern without its anchor are wildcards, slashes,
// or their own images in both dialects.
func isPlain(text string, from, to *images) bool {
	for i := range len(text) {
		if octet := text[i]; octet != '/' && octet != '*' && !(from.selves.has(octet) && to.selves.has(octet)) {
			return false
		}
	}
	return true
}

func (im *images) hasQuery() bool { return im.bySymbol[0]["x"] == im.bySymbol[1]["x"] }

// usualSymbols returns, for each dialect, the symbols of the URLs that Agree covers, by
// their images.
var usualSymbols = forEach(func(dialect robotstxt.Dialect) map[string]string {
	symbols := make(map[string]string)
	for octet := range 256 {
		raw := string([]byte{byte(octet)})
		if octet <= ' ' || octet >= 0x7f || strings.Contains("\"#%<>^`{}", raw) {
			raw = ascii.Percent(byte(octet))
		}
		symbols[imagesOf(dialect).bySymbol[0][raw]] = raw
	}
	return symbols
})

// translated returns the pattern with which dialect to matches the URLs of Agree that s
// matches in dialect from. The result matches no path if s contains a symbol that is the
// image of no symbol of these URLs.
func (s spelling) translated(from, to robotstxt.Dialect) spelling {
	own, other := imagesOf(from), imagesOf(to)
	if (s.Wild || !strings.Contains(s.Text, "*")) && isPlain(s.Text, own, other) {
		return s
	}
	var text strings.Builder
	text.Grow(len(s.Text))
	usual := usualSymbols(from)
	for rest := s.Text; rest != ""; {
		symbol := rest[:symbolWidth(rest, false)]
		rest = rest[len(symbol):]
		if (s.Wild || symbol != "*") && isPlain(symbol, own, other) {
			text.WriteString(symbol)
			continue
		}
		image := other.bySymbol[0][usual[symbol]]
		if image == "" || s.Wild && image == "*" {
			return spelling{Pattern: pattern.Pattern{Anchored: true}}
		}
		text.WriteString(image)
	}
	s.Text = text.String()
	return s
}
