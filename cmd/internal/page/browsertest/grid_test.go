package browsertest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/kosterhq/robotstxt"
)

// The cells show the engine's verdicts by colour, shape and word.
func TestGrid(t *testing.T) {
	p := open(t, serve(t), shopState)
	type look struct{ Word, Colour, Shape string }
	looks := map[string]look{}
	for _, at := range [][2]string{{"Googlebot", "/"}, {"GPTBot", "/"}} {
		l := evaluate[look](p, `((cell) => ({
			Word: cell.querySelector(".word").textContent,
			Colour: getComputedStyle(cell).backgroundColor + " " + getComputedStyle(cell).color,
			Shape: getComputedStyle(cell.querySelector(".word"), "::before").content + getComputedStyle(cell, "::before").content,
		}))(`+cell(at[0], at[1])+`)`)
		looks[l.Word] = l
	}
	a, d := looks["allowed"], looks["disallowed"]
	if a.Word == "" || d.Word == "" || a.Colour == d.Colour || a.Shape == d.Shape {
		t.Errorf("the verdicts look like %+v and %+v", a, d)
	}
	for _, shape := range []string{a.Shape, d.Shape} {
		if strings.Trim(strings.ReplaceAll(strings.ReplaceAll(shape, "none", ""), "normal", ""), `"`) == "" {
			t.Errorf("a verdict has no shape: %+v", looks)
		}
	}
}

// lit returns the lines of the editor with a class, counted from 1.
func (p *tab) lit(class string) []int {
	p.Helper()
	return evaluate[[]int](p, fmt.Sprintf(`[...document.querySelectorAll("#editor .cm-line")].flatMap((line, i) => line.classList.contains(%s) ? [i + 1] : [])`, quote(class)))
}

// A cell lights the line that decides and dims those that lose, says why in a sentence,
// and what the other dialects say. The expected lines are the engine's.
func TestExplanation(t *testing.T) {
	p := open(t, serve(t), shopState)
	robots := robotstxt.Parse([]byte(shop))
	for _, at := range [][2]string{
		{"Googlebot", "/private/press/1"}, {"Googlebot", "/private/press/draft/2"}, {"FooBot", "/search"}, {"GPTBot", "/cart"}, {"Googlebot", "/cart"},
	} {
		want := robots.Rules(at[0]).Explain(at[1])
		p.selectCell(at[0], at[1])
		sentence := map[bool]string{true: at[0] + " may fetch " + at[1], false: at[0] + " may not fetch " + at[1]}[want.Allowed]
		p.waitText("#explanation .why", sentence)
		if got := p.text("#explanation .why"); want.Line > 0 && !strings.Contains(got, fmt.Sprintf("line %d", want.Line)) {
			t.Errorf("%v: the sentence is %q, want line %d", at, got, want.Line)
		}
		decides, loses := []int{}, []int{}
		if want.Line > 0 {
			decides = append(decides, want.Line)
		}
		for _, rule := range want.Others {
			loses = append(loses, rule.Line)
		}
		p.until("the lit lines", func() (bool, string) {
			gotDecides, gotLoses := p.lit("lit-decides"), p.lit("lit-loses")
			return slices.Equal(gotDecides, decides) && slices.Equal(gotLoses, loses),
				fmt.Sprintf("%v: lit %v, want %v; dim %v, want %v", at, gotDecides, decides, gotLoses, loses)
		})
		for name, dialect := range map[string]robotstxt.Dialect{"RFC 9309": robotstxt.RFC9309, "Koster 1996": robotstxt.Koster1996} {
			other := dialect.Parse([]byte(shop)).Rules(at[0]).Explain(at[1])
			word := map[bool]string{true: "allowed", false: "disallowed"}[other.Allowed]
			p.wait(find("#explanation .dialects li", name) + fmt.Sprintf(`.querySelector(".verdict").textContent === %s`, quote(word)))
		}
	}
	// The lit line differs from the others by more than colour in forced colours too; here
	// it must be visible at all.
	p.selectCell("FooBot", "/cart")
	p.wait(`(() => { const e = document.querySelector("#editor .lit-decides"); return e && getComputedStyle(e).backgroundColor !== getComputedStyle(document.querySelector("#editor .cm-line:not(.lit-decides)")).backgroundColor; })()`)
}

// The other dialects answer in the grid too.
func TestDialect(t *testing.T) {
	p := open(t, serve(t), shopState)
	want := verdicts{}
	robots := robotstxt.Koster1996.Parse([]byte(shop))
	for _, agent := range shopAgents {
		for _, url := range shopURLs {
			allowed, line := robots.Rules(agent).Verdict(url)
			want[agent+" "+url] = map[bool]string{true: "allowed", false: "disallowed"}[allowed]
			if line > 0 {
				want[agent+" "+url] += fmt.Sprintf(" %d", line)
			}
		}
	}
	p.choose("#dialect", "koster1996")
	p.wantVerdicts(want)
}

// choose selects an option of a list, as a user does.
func (p *tab) choose(selector, value string) {
	p.Helper()
	p.do(chromedp.Focus(chromedp.CSS(selector)))
	p.wait(fmt.Sprintf(`((list) => { list.value = %s; list.dispatchEvent(new Event("input", { bubbles: true })); list.dispatchEvent(new Event("change", { bubbles: true })); return list.value === %[1]s; })(document.querySelector(%s))`,
		quote(value), quote(selector)))
}
