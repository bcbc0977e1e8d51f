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

// Agree returns how the verdicts of two rules differ: those of two crawlers, or of one
// crawler in two dialects. If the dialects differ, Agree covers only URLs whose percent
// codes are in upper case and encode octets that browsers encode in a path. For other
// URLs, such as /%61, the dialects differ for nearly every rule. In a dialect that always
// allows /robots.txt, that path is left out. The effect is Undecided if one of two
// dialects is Koster1996, which ignores the query. The error is that of ctx.
func Agree(ctx context.Context, old, new robotstxt.Rules, config Config) (Effect, error) {
	from, to := old.Explain("/").Dialect, new.Explain("/").Dialect
	if from != to && imagesOf(from).hasQuery() && imagesOf(to).hasQuery() && alike(old, new, imagesOf(from), imagesOf(to)) {
		return Equal, ctx.Err()
	}
	s := newSolver(ctx, to, to, config.steps())
	var sides [2]claims
	switch {
	case from == to:
		sides = [2]claims{s.claims(0, old), s.claims(0, new)}
	case !imagesOf(from).hasQuery() || !imagesOf(to).hasQuery():
		return Undecided, ctx.Err()
	default:
		for side, rules := range [2]robotstxt.Rules{old, new} {
			own := [2]robotstxt.Dialect{from, to}[side]
			reader := &solver{dialects: [2]robotstxt.Dialect{own, own}}
			sides[side] = reader.numbered(0, rules, nil, func(p spelling) int32 { return s.patterns.number(p.translated(own, to)) })
			s.partial = s.partial || reader.partial
		}
	}
	for side := range sides {
		c := &sides[side]
		c.list = slices.DeleteFunc(c.list, func(c claim) bool { return c.line == 0 }) // that of /robots.txt
		*c = s.tidy(*c)
	}
	effect := Equal
	if s.partial {
		effect = Undecided
	} else if !sameClaims(sides) {
		s.budget.spend(readSteps*(len(sides[0].list)+len(sides[1].list)), 0)
		found := s.decide(sides[0], sides[1], [2]bool{true, true})
		effect = effectOf(&found)
	}
	return effect, ctx.Err()
}

// alike reports whether rules of two dialects are the same for the URLs of Agree because
// their texts are: most are. Their octets must be their own images in both dialects. A slash
// is an ordinary octet in patterns without %2F, see package pattern. An Allow of an index
// page may have another pattern too.
func alike(old, new robotstxt.Rules, from, to *images) bool {
	lists := [2][]robotstxt.Rule{}
	for side, rules := range [2]robotstxt.Rules{old, new} {
		for group := range rules.Groups() {
			lists[side] = slices.AppendSeq(lists[side], group.Rules())
		}
	}
	isSame := func(a, b robotstxt.Rule) bool {
		if a.Allow != b.Allow || a.Length != b.Length || a.Pattern != b.Pattern {
			return false
		}
		if _, ok := pattern.New(a.Pattern, true).Folder(); ok && a.Allow {
			return false
		}
		return isPlain(strings.TrimSuffix(a.Pattern, "$"), from, to)
	}
	return slices.EqualFunc(lists[0], lists[1], isSame) && (len(lists[0]) > 0 || old.Allowed("/") == new.Allowed("/")) // there may be no file
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

// hasQuery reports whether the query is compared, in the same way as the path.
func (im *images) hasQuery() bool { return im.bySymbol[0]["x"] == im.bySymbol[1]["x"] }

// usualSymbols returns, for each dialect, the symbols of the URLs that Agree covers, by
// their images.
var usualSymbols = func() (all []func() map[string]string) {
	for _, dialect := range robotstxt.Dialects() {
		all = append(all, sync.OnceValue(func() map[string]string {
			symbols := make(map[string]string)
			for octet := range 256 {
				raw := string([]byte{byte(octet)})
				if octet <= ' ' || octet >= 0x7f || strings.Contains("\"#%<>^`{}", raw) {
					raw = ascii.Percent(byte(octet))
				}
				symbols[imagesOf(dialect).bySymbol[0][raw]] = raw
			}
			return symbols
		}))
	}
	return all
}()

// translated returns the pattern with which dialect to matches the URLs of Agree that s
// matches in dialect from. The result matches no path if s contains a symbol that is the
// image of no symbol of these URLs.
func (s spelling) translated(from, to robotstxt.Dialect) spelling {
	if (s.wild || !strings.Contains(s.text, "*")) && isPlain(s.text, imagesOf(from), imagesOf(to)) {
		return s
	}
	var text strings.Builder
	usual, images := usualSymbols[dialectIndex(from)](), imagesOf(to).bySymbol[0]
	for rest := s.text; rest != ""; {
		symbol := rest[:symbolWidth(rest, false)]
		rest = rest[len(symbol):]
		if s.wild && symbol == "*" {
			text.WriteString(symbol)
			continue
		}
		image := images[usual[symbol]]
		if image == "" || s.wild && image == "*" {
			return spelling{anchored: true}
		}
		text.WriteString(image)
	}
	s.text = text.String()
	return s
}
