package answer

import (
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Operator returns the operator of crawlers that a person has typed: its name, or that of its
// company or product, see crawlers.OperatorNamed. The error has a hint.
func Operator(text string) (string, error) {
	operator, ok := crawlers.OperatorNamed(text)
	if ok {
		return operator, nil
	}
	hint := `"robots crawlers" lists the operators`
	all := crawlers.Operators()
	lower := make([]string, len(all))
	for i, name := range all {
		lower[i] = ascii.ToLower(name)
	}
	if c, ok := crawlers.Find(text); ok {
		if c.Operator != crawlers.Unknown {
			hint = "the operator of " + c.Token + " is " + c.Operator
		}
	} else if near := term.Closest(ascii.ToLower(strings.TrimSpace(text)), lower); near != "" {
		operator, _ = crawlers.OperatorNamed(near)
		hint = "did you mean " + operator + "?"
	}
	return "", term.Errorf("%q is not the operator of a known crawler", text).Hint(hint)
}

// Purpose returns the purpose that a person has typed, ignoring case. The error has a hint.
func Purpose(text string) (crawlers.Purpose, error) {
	known := crawlers.Purposes()
	names := make([]string, len(known))
	for i, purpose := range known {
		names[i] = string(purpose)
		if ascii.EqualFold(names[i], text) {
			return purpose, nil
		}
	}
	hint := "the purposes are " + strings.Join(names, ", ")
	if near := term.Closest(ascii.ToLower(text), names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return "", term.Errorf("no crawler has the purpose %q", text).Hint(hint)
}
