package calls

import (
	"context"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// OutlineRequest is a query for a summary of a file.
type OutlineRequest struct {
	Body       *string `json:"body,omitempty" doc:"The robots.txt."`
	BodyBase64 []byte  `json:"body_base64,omitempty" doc:"The robots.txt in base64, if it is not UTF-8."`

	// Dialect is google, rfc9309 or koster1996. Default: google.
	Dialect string `json:"dialect,omitempty" enum:"google,rfc9309,koster1996" doc:"How the file is read. Default: google."`
}

// Outline returns a summary of a file.
func Outline(_ context.Context, r *OutlineRequest, limits Limits) (*wire.FileOutline, error) {
	body, err := limits.Body("body", r.Body, r.BodyBase64)
	if err != nil {
		return nil, err
	}
	dialect, err := dialectNamed("dialect", r.Dialect)
	if err != nil {
		return nil, err
	}
	file := limits.File(body)
	outline := answer.RuleFile(file, &dialect, nil).Outline()
	return &wire.FileOutline{Body: file.Kind, Bytes: len(body), Truncated: file.Truncated, Outline: *outline}, nil
}
