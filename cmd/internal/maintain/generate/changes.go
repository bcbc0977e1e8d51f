package generate

import (
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/show/language"
	"github.com/kosterhq/robotstxt/cmd/internal/show/prose"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/permission"
)

// Reasons why a statement about a token's purpose cannot be expressed, or is not.
const (
	whyKept     = "kept"      // the token serves another purpose that is not refused
	whyNoLine   = "no-line"   // no line can name it
	whyOneGroup = "one-group" // the group of a control token refuses another purpose, which wins
	whyPart     = "part"      // the lines that stay close only a part of the site, with its home page
)

// changes are the effects of the written file apart from the statements, and the statements that
// it cannot express.
type changes struct {
	unable, also []change
}

type change struct {
	token    string
	purpose  crawlers.Purpose
	operator string
	why      string // the reason, in unable
	was, is  bool   // whether the purpose is refused, before and after
}

func (c *changes) equal(o *changes) bool {
	return slices.Equal(c.unable, o.unable) && slices.Equal(c.also, o.also)
}

const anyURL = "https://site.example/"

// changesOf compares the file before with the written file, for each purpose of each token.
func (w *writer) changesOf(after *file) (found changes) {
	for _, r := range w.readers {
		if r.known.Token == "" || r.known.Status == crawlers.Retired && !w.config.names(r.known.Token) {
			continue
		}
		crawler := permission.CrawlerOf(r.known.Token)
		refuses := func(f *file, p crawlers.Purpose) bool {
			use := permission.UseOf(&permission.Robots{In: f.in}, crawler, p)
			return use.Token != "" && !w.allows(f, use.Rules)
		}
		for _, p := range r.known.Purposes {
			c := change{token: r.known.Token, purpose: p, operator: r.known.Operator, was: refuses(w.before, p),
				is: refuses(after, p)}
			s, stated := w.config.decidingFor(r.known, p, "/")
			switch {
			case stated && s.Allow != c.is && !(r.wish.kept && !s.Allow && !c.is):
				continue
			case stated && r.unexpressed == outweighed:
				continue // missed reports it
			case stated && !nameable(r.known):
				c.why = whyNoLine
			case stated && s.Allow && r.known.Control:
				c.why = whyOneGroup
			case stated && s.Allow:
				c.why = whyPart
			case stated, r.wish.kept && w.config.refusesSomewhere(p):
				c.why = whyKept
			case c.was != c.is && nameable(r.known):
				found.also = append(found.also, c)
			}
			if c.why != "" {
				found.unable = append(found.unable, c)
			}
		}
	}
	byToken := func(a, b change) int {
		return strings.Compare(a.token+"\x00"+string(a.purpose), b.token+"\x00"+string(b.purpose))
	}
	slices.SortFunc(found.unable, byToken)
	slices.SortFunc(found.also, byToken)
	return found
}

func (c *Config) refusesSomewhere(p crawlers.Purpose) bool {
	return slices.ContainsFunc(c.Statements, func(s Statement) bool { return s.Purpose == p && !s.Allow })
}

func (c *changes) lists() (unable [][3]string, also [][2]string) {
	unable, also = [][3]string{}, [][2]string{}
	for _, u := range c.unable {
		unable = append(unable, [3]string{u.token, string(u.purpose), u.why})
	}
	for _, a := range c.also {
		also = append(also, [2]string{a.token, string(a.purpose)})
	}
	return unable, also
}

// voice is how sentences name things: in a comment as the command line does, in the plan in words.
type voice struct {
	language.Language
	plan bool
}

// use returns a purpose.
func (v voice) use(p crawlers.Purpose) string {
	if v.plan {
		return prose.UseIn(v.Language, p)
	}
	return string(p)
}

// note returns a sentence that ends with a list, or no sentence if the list is empty.
func (v voice) note(text language.Text, list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return []string{v.Say(text, strings.Join(list, ", "))}
}

// short returns the first few of a list from a file, which can be as long as that, and how many more there are.
func (v voice) short(list []string, few int) []string {
	if len(list) <= few {
		return list
	}
	return []string{v.First(list, few)}
}

// notes returns sentences about the changes, and about others: crawlers that are not closed although a purpose is
// refused.
func (c *changes) notes(v voice, others []string) []string {
	texts := func(list []change, wanted func(*change) bool, detail func(*change) string) (texts []string) {
		for i := 0; i < len(list); {
			first := &list[i]
			var details []string
			for ; i < len(list) && list[i].token == first.token; i++ {
				if wanted(&list[i]) {
					details = appendNew(details, detail(&list[i]))
				}
			}
			if details != nil {
				texts = append(texts, strings.TrimSuffix(first.token+" ("+strings.Join(details, "; ")+")", " ()"))
			}
		}
		return texts
	}
	because := func(why string) func(*change) bool { return func(c *change) bool { return c.why == why } }
	purpose := func(c *change) string { return v.use(c.purpose) }
	kept := func(c *change) string { return c.kept(v) }
	return slices.Concat(
		v.note("These also serve a purpose that is not refused, so they stay open; to close one, refuse it by name: %s.", texts(c.unable, because(whyKept), kept)),
		v.note("These also serve a purpose that is not refused, so the new lines do not close the site to them: %s.", others), // something else might
		v.note("The group of such a token refuses all its purposes, so these are refused although they are allowed: %s.", texts(c.unable, because(whyOneGroup), purpose)),
		v.note("The lines that close parts of the site stay, and they refuse the home page to these: %s.", texts(c.unable, because(whyPart), func(*change) string { return "" })),
		v.note("No line can name these: %s.", texts(c.unable, because(whyNoLine), purpose)),
		v.note("These are closed for other purposes too: %s.", texts(c.also, func(c *change) bool { return c.is }, purpose)),
		v.note("These are opened for other purposes too: %s.", texts(c.also, func(c *change) bool { return !c.is }, purpose)),
	)
}

// kept returns a sentence about a crawler's purpose that is not refused, and about the tag of a
// page that can refuse it.
func (c *change) kept(v voice) string {
	text := v.Say("%s, unchanged", v.use(c.purpose))
	if c.was {
		text = v.Say("%s, opened", v.use(c.purpose))
	}
	tag := permission.TagAgainst(c.operator, c.purpose)
	if v.plan {
		tag, _, _ = strings.Cut(tag, ":") // without its source
	}
	if tag != "" {
		text = v.Say("%s; a page can refuse it with %s", text, tag)
	}
	return text
}
