package fix

import (
	"context"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/lint"
	"github.com/kosterhq/robotstxt/semdiff"
)

// MendOnly returns a file with its mending fixes alone.
func MendOnly(ctx context.Context, body []byte, config lint.Config) ([]byte, error) {
	m := &maker{
		Result: Result{Body: body},
		prover: prover{ctx, robotstxt.Dialects(), semdiff.DefaultSteps},
		config: Config{Lint: config},
	}
	err := m.mend()
	return m.Body, err
}

// ChangeOf returns how the verdicts of two files differ in all dialects and, if strictly, for strict readers, ""
// if they do not or it is undecided.
func ChangeOf(ctx context.Context, before, after []byte, strictly bool) (string, error) {
	p := prover{ctx, robotstxt.Dialects(), 10 * semdiff.DefaultSteps}
	for _, d := range p.dialects {
		if change, err := p.compare(d, before, after, largeBudget); err != nil ||
			change != nil && change.Undecided == "" {
			return change.text(), err
		}
	}
	if !strictly {
		return "", nil
	}
	change, err := p.compareStrict(before, after, largeBudget)
	return change.text(), err
}

func (c *Change) text() string {
	if c == nil || c.Undecided != "" {
		return ""
	}
	return c.String()
}
