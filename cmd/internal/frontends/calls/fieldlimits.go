package calls

import (
	"bytes"
	"fmt"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/semdiff"
)

// Limits bound what a request can contain and how much work it can cause. In each field,
// 0 means the default, and a negative number means that there is no limit. A request
// that exceeds a limit is an [*Error] with the name of the limit. The size of a whole
// request is a setting of the service, MaxRequestBytes in package serve.
type Limits struct {
	// BodyBytes is the size of each robots.txt in a request. Default: 1 MiB.
	BodyBytes int

	// ReadBytes is the number of bytes of a robots.txt that are read for verdicts. Later lines
	// are ignored, as crawlers do. That is not an error, but the result shows that the file is
	// truncated. Default: robotstxt.DefaultBodyLimit, 500 KiB.
	ReadBytes int

	// HTMLBytes is the size of a web page. Default: 4 MiB.
	HTMLBytes int

	// ListBytes is the size of a list of URLs, both before and after it is decompressed.
	// Default: 32 MiB.
	ListBytes int

	// Agents is the number of crawlers, after purposes and operators are replaced by
	// their crawlers. Default: 1,000.
	Agents int

	// URLs is the number of URLs. Default: 10,000.
	URLs int

	// TextBytes is the length of each URL, crawler and other text except files.
	// Default: 16 KiB.
	TextBytes int

	// Answers is the number of answers in a result: crawlers times URLs. A service that sends
	// answers while it makes them has its own limit. Default: 100,000.
	Answers int

	// DiffSteps is the budget of a comparison, and the largest that a request can
	// specify, in steps of package semdiff. Default: semdiff.DefaultSteps, about a second.
	DiffSteps int

	// LintSteps is the budget of the search for rules that decide nothing, and of each
	// proof of a fix, and the largest that a request can specify. Default:
	// semdiff.DefaultSteps.
	LintSteps int

	// Fixes is the number of findings with a fix up to which fixes are made.
	// Default: 2,000.
	Fixes int

	// Results is the number of completions, tokens, resources and the like in a result, whose
	// rest is omitted. Default: 100,000.
	Results int
}

// The defaults of Limits.
const (
	defaultBodyBytes = 1 << 20
	defaultHTMLBytes = 4 << 20
	defaultListBytes = 32 << 20
	defaultAgents    = 1_000
	defaultURLs      = 10_000
	defaultTextBytes = 16 << 10
	defaultAnswers   = 100_000
	defaultFixes     = 2_000
	defaultResults   = 100_000
)

// Filled returns the limits with their defaults instead of zeros.
func (l Limits) Filled() Limits {
	for _, f := range []struct {
		limit    *int
		standard int
	}{
		{&l.BodyBytes, defaultBodyBytes}, {&l.ReadBytes, robotstxt.DefaultBodyLimit}, {&l.HTMLBytes, defaultHTMLBytes},
		{&l.ListBytes, defaultListBytes},
		{&l.Agents, defaultAgents}, {&l.URLs, defaultURLs}, {&l.TextBytes, defaultTextBytes}, {&l.Answers, defaultAnswers},
		{&l.DiffSteps, semdiff.DefaultSteps}, {&l.LintSteps, semdiff.DefaultSteps}, {&l.Fixes, defaultFixes}, {&l.Results, defaultResults},
	} {
		if *f.limit == 0 {
			*f.limit = f.standard
		}
	}
	return l
}

// Unlimited are the limits of a program that trusts its requests. ReadBytes and the budgets have
// their defaults, because they affect results.
func Unlimited() Limits {
	return Limits{BodyBytes: -1, HTMLBytes: -1, ListBytes: -1, Agents: -1, URLs: -1, TextBytes: -1, Answers: -1,
		Fixes: -1, Results: -1}
}

// Exceeded returns an error if a number is above a limit of at least 0.
func Exceeded(field, name string, number, limit int, unit string) error {
	if limit < 0 || number <= limit {
		return nil
	}
	return &Error{Code: CodeLimit, Field: field, Limit: name, Message: fmt.Sprintf("%d %s are more than the limit of %d", number, unit, limit)}
}

// Text returns the bytes of a text in a request, which has it either as a string or in
// base64. present is false if it has neither.
func (l Limits) Text(field string, text *string, base64 []byte) (body []byte, present bool, err error) {
	body, present, err = textOf(field, text, base64)
	if err == nil {
		err = Exceeded(field, "BodyBytes", len(body), l.Filled().BodyBytes, "bytes")
	}
	return body, present, err
}

// List is Text for a list of URLs, which a request must have.
func (l Limits) List(field string, text *string, base64 []byte) ([]byte, error) {
	list, present, err := textOf(field, text, base64)
	if err == nil && !present {
		err = &Error{Code: CodeInvalid, Field: field, Message: "it is missing"}
	}
	if err == nil {
		err = Exceeded(field, "ListBytes", len(list), l.Filled().ListBytes, "bytes")
	}
	return list, err
}

// textOf returns the bytes of a text, see Text.
func textOf(field string, text *string, base64 []byte) (body []byte, present bool, err error) {
	if text != nil && base64 != nil {
		return nil, false, &Error{Code: CodeInvalid, Field: field, Message: "it is given both as a string and in base64", Hint: "omit one of them"}
	}
	if text == nil && base64 == nil {
		return nil, false, nil
	}
	if text != nil {
		return []byte(*text), true, nil
	}
	return base64, true, nil
}

// Body is Text for a body that a request must have.
func (l Limits) Body(field string, text *string, base64 []byte) ([]byte, error) {
	body, present, err := l.Text(field, text, base64)
	if err == nil && !present {
		err = &Error{Code: CodeInvalid, Field: field, Message: "it is missing",
			Hint: "give the content of a robots.txt as a string, or in " + field + "_base64 if it is not UTF-8"}
	}
	return body, err
}

// Head returns the part of a body that is read: whole lines within ReadBytes.
func (l Limits) Head(body []byte) (head []byte, truncated bool) {
	limit := l.Filled().ReadBytes
	if limit < 0 || len(body) <= limit {
		return body, false
	}
	head, _, _ = robotstxt.ReadBody(bytes.NewReader(body), limit) // the reader has no errors
	return head, true
}

// File returns the robots.txt of a body, as crawlers read it: its Head.
func (l Limits) File(body []byte) *answer.File {
	head, truncated := l.Head(body)
	file := answer.NewFile(head)
	file.Truncated = truncated
	return file
}

// Budget returns the budget of a request: the limit if the request specifies none.
func Budget(name string, requested, limit int) (int, error) {
	switch {
	case requested < 0:
		return 0, &Error{Code: CodeInvalid, Field: "budget", Message: fmt.Sprintf("%d is below 0", requested)}
	case requested == 0 && limit > 0:
		return limit, nil
	case requested == 0:
		return semdiff.DefaultSteps, nil
	}
	return requested, Exceeded("budget", name, requested, limit, "steps")
}

// Texts returns an error if a text in a list is longer than TextBytes.
func (l Limits) Texts(field string, texts ...string) error {
	limit := l.Filled().TextBytes
	for i, text := range texts {
		if err := Exceeded(fmt.Sprintf("%s/%d", field, i), "TextBytes", len(text), limit, "bytes"); err != nil {
			return err
		}
	}
	return nil
}
