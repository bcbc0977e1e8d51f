package editing

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/maintain/fix"
	"github.com/kosterhq/robotstxt/lint"
)

// FormatRequest is a file to format.
type FormatRequest struct {
	Body

	// LineEnds is keep, lf or crlf. Default: keep, which means CRLF if most lines end so.
	LineEnds string `json:"line_ends,omitempty" enum:"keep,lf,crlf" doc:"How lines end. Default: keep."`

	// Profile names the crawlers for which the file is written. Default: google.
	Profile string `json:"profile,omitempty" doc:"The crawlers for which the file is written. Default: google."`
}

// lineEnds are the names of the values of lint.LineEnds.
var lineEnds = []string{lint.KeepEnds: "keep", lint.LF: "lf", lint.CRLF: "crlf"}

// Format formats a file, if it is proved that no verdict changes in google, in rfc9309 and
// in the profile's dialect. Otherwise the result has the unchanged file and the reason.
func Format(ctx context.Context, r *FormatRequest, limits calls.Limits) (*wire.Formatted, error) {
	body, err := r.bytes(limits)
	if err != nil {
		return nil, err
	}
	profile, err := profileNamed(r.Profile)
	if err != nil {
		return nil, err
	}
	ends := max(0, slices.Index(lineEnds, r.LineEnds))
	if r.LineEnds != "" && lineEnds[ends] != r.LineEnds {
		return nil, &calls.Error{Code: calls.CodeInvalid, Field: "line_ends", Message: fmt.Sprintf("there is no line end %q", r.LineEnds),
			Hint: "use " + strings.Join(lineEnds, ", ")}
	}
	unchanged := &wire.Formatted{Body: string(body)}
	result, err := fix.Format(ctx, body, profile, lint.LineEnds(ends))
	switch {
	case err != nil:
		return nil, err
	case len(result.Refused) > 0:
		unchanged.Refused = result.Refused[0].Reason
		return unchanged, nil
	}
	return &wire.Formatted{Body: string(result.Body), Changed: !bytes.Equal(body, result.Body),
		Changes: result.WireChanges()}, nil
}
