package answer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
	"github.com/kosterhq/robotstxt/origin"
)

// Typed returns the product token of the crawler that a person has typed, as a token or as the
// User-Agent header that the crawler sends. The crawler need not be known. Typed returns "*" and
// the empty text unchanged.
//
// The error, which has a hint, means that the text does not name a crawler: it is a browser's
// header, a company's name, or a token with characters that only look right.
func Typed(text string) (token string, err error) {
	if text == "" || text == "*" {
		return text, nil
	}
	meaning, _ := crawlers.Mistaken(text)
	if meaning.Why == crawlers.Company {
		return "", term.Errorf("%q: it is the name of a company or product, not of a crawler", text).Hint("write " + strings.Join(meaning.Tokens, ",") + " for its crawlers; a name in double quotes is taken literally")
	}
	if meaning.Why == crawlers.LookAlike {
		return "", lookAlike(text, meaning)
	}
	_, nameable := crawlers.ReadingOf(text)
	if known, ok := crawlers.Find(text); ok {
		if !nameable {
			text = known.Token
		}
		return text, nil
	}
	if strings.Contains(text, " ") { // no line can contain it
		meaning, _ = crawlers.Meant(text)
		if meaning.Why == crawlers.Joined {
			return "", term.Errorf("%q: it is not the name of a crawler", text).Hint("write " + meaning.Tokens[0])
		}
	}
	token, ok := crawlers.Declared(text)
	switch {
	case term.IsBlank(text):
		return "", Unseen(text)
	case !ok && nameable && !strings.ContainsAny(text, "(@") && !ascii.EqualFold(text, "Mozilla"):
		return text, nil // a crawler's name can be a platform's or an English word
	case !ok:
		return "", term.Errorf("%q: it names no crawler", origin.Text(text).Given()).Hint(`write a product token, such as GPTBot, or "*" for any crawler that follows the group for *; a token in double quotes is taken literally`)
	case ascii.EqualFold(token, text):
		return text, nil
	}
	meaning, _ = crawlers.Mistaken(token)
	if meaning.Why == crawlers.LookAlike {
		return "", lookAlike(token, meaning)
	}
	return token, nil
}

// Unseen returns the error about a token of which a person sees nothing. A program can mean the empty
// token, in quotes.
func Unseen(text string) error {
	return term.Errorf("%q: nothing of it can be seen", text).Hint("write a product token, such as GPTBot")
}

func lookAlike(text string, meaning crawlers.Meaning) error {
	what := "characters"
	if i := strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }); i >= 0 {
		what = fmt.Sprintf("%U", []rune(text[i:])[0])
	}
	return term.Errorf("%q: it only looks like %s, because it contains %s", text, meaning.Tokens[0], what).Hint("write " + meaning.Tokens[0])
}

// Known returns the data of a known crawler that a person has typed, as for Typed. A name in
// double quotes is taken literally. The error has a hint.
func Known(name string) (crawlers.Crawler, error) {
	token, err := strconv.Unquote(name)
	if err != nil {
		token, err = Typed(name)
		if err != nil {
			return crawlers.Crawler{}, err
		}
	}
	if c, ok := crawlers.Find(token); ok {
		return c, nil
	}
	hint := `"robots crawlers" lists the known ones`
	if similar := Similar(token); similar != nil {
		hint = DidYouMean(similar)
	}
	return crawlers.Crawler{}, term.Errorf("%q is not a known crawler", name).Hint(hint)
}

// Similar returns the tokens of the known crawlers that an unknown token might mean, or nil if
// there are none. A company's name can have several.
func Similar(token string) []string {
	if _, known := crawlers.Find(token); known || token == "*" {
		return nil
	}
	meaning, _ := crawlers.Meant(token)
	return meaning.Tokens
}

// DidYouMean returns a question that proposes tokens.
func DidYouMean(tokens []string) string {
	return "did you mean " + term.First(tokens, 5) + "?"
}

// SentBy returns the crawler whose rules a client obeys if it sends a header: "*" if the header
// does not name a crawler.
func SentBy(header string) Crawler {
	if token, ok := crawlers.Declared(header); ok {
		return NewCrawler(token)
	}
	return NewCrawler()
}
