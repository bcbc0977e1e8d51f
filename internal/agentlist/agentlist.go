// Package agentlist reads and writes lists of crawlers: the form that flags,
// expectations and conformance vectors share. A comma separates crawlers; a colon
// separates the product tokens of one crawler, which falls back from each to the
// next:
//
//	GPTBot, Googlebot-News:Googlebot, "Tea;Bot"
//
// White space around tokens is ignored. A token that is empty, has white space at
// an end, or contains a comma, colon, semicolon, quote or number sign is written in
// double quotes, with the escapes of a Go string: \" and \\, and \xHH for one byte.
//
// A whole User-Agent header is a list of one crawler with one token, the header
// itself; its commas, colons and semicolons separate nothing. A value that contains
// a double quote is never taken for one. Headers can also be in a list, each with one
// product before a comment or an address:
//
//	FooBot/1.0 (+https://foo.example), GPTBot
package agentlist

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kosterhq/robotstxt/internal/agentheader"
	"github.com/kosterhq/robotstxt/internal/ascii"
)

// SyntaxError describes a mistake in a list. Parse returns no other kind of error.
type SyntaxError struct {
	Problem string // quotes its piece of the list with %q
	Hint    string // what to write instead
}

// Error returns the problem and the hint in one line.
func (e *SyntaxError) Error() string { return e.Problem + ": " + e.Hint }

// Token is a token of a list.
type Token struct {
	Text   string
	Quoted bool // the list has it in double quotes
}

// Parse returns the crawlers of a list, each as the texts of its tokens, the preferred one
// first. There is at least one crawler, and each has at least one token; a list
// without tokens is an error.
func Parse(list string) (crawlers [][]string, err error) {
	for tokens, err := range All(list) {
		if err != nil {
			return nil, err
		}
		texts := make([]string, len(tokens))
		for i, token := range tokens {
			texts[i] = token.Text
		}
		crawlers = append(crawlers, texts)
	}
	return crawlers, nil
}

// All yields the crawlers that Parse returns, while it reads the list. It ends after an
// error.
func All(list string) iter.Seq2[[]Token, error] {
	return func(yield func([]Token, error) bool) {
		rest := strings.Trim(list, ascii.Space)
		if isHeader(rest) {
			yieldHeaders(rest, yield)
			return
		}
		for chain := []Token(nil); ; {
			token, after, err := cutToken(rest)
			if err != nil {
				yield(nil, err)
				return
			}
			chain = append(chain, Token{token, rest[0] == '"'})
			if after == "" {
				yield(chain, nil)
				return
			}
			if after[0] == ',' {
				if !yield(chain, nil) {
					return
				}
				chain = nil
			}
			rest = strings.TrimLeft(after[1:], ascii.Space)
		}
	}
}

// yieldHeaders yields the crawlers of a list that has a header, which can be the whole list.
func yieldHeaders(list string, yield func([]Token, error) bool) {
	pieces := separate(list)
	if pieces == nil {
		yield([]Token{{Text: list}}, nil)
		return
	}
	for _, piece := range pieces {
		if isHeader(piece) {
			if !yield([]Token{{Text: piece}}, nil) {
				return
			}
			continue
		}
		for chain, err := range All(piece) {
			if !yield(chain, err) || err != nil {
				return
			}
		}
	}
}

// separate returns the crawlers of a list that has headers, nil if the whole list is one header. A comma with
// white space after it separates crawlers unless it is in a comment; the addresses in headers have no white
// space, and neither do tokens. So each piece is one product with a comment or an address, or a chain of tokens.
func separate(list string) (pieces []string) {
	depth, begin := 0, 0
	for i := range len(list) {
		switch c := list[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0 && i+1 < len(list) && strings.IndexByte(ascii.Space, list[i+1]) >= 0:
			pieces = append(pieces, strings.Trim(list[begin:i], ascii.Space))
			begin = i + 1
		}
	}
	if pieces == nil || depth != 0 {
		return nil
	}
	pieces = append(pieces, strings.Trim(list[begin:], ascii.Space))
	for _, piece := range pieces {
		product, details, _ := strings.Cut(piece, " ")
		details = strings.TrimLeft(details, ascii.Space)
		isComment := strings.HasPrefix(details, "(")
		isAddress := !strings.ContainsAny(details, ascii.Space) && strings.Contains(details, "://")
		if product == "" || strings.ContainsAny(product, "();#,\t") || details != "" && !isComment && !isAddress {
			return nil
		}
	}
	return pieces
}

// cutToken splits off the first token of a list that does not begin with white space.
// after is empty or begins with a comma or a colon.
func cutToken(list string) (token, after string, err error) {
	if strings.HasPrefix(list, `"`) {
		return cutQuoted(list)
	}
	end := strings.IndexAny(list, separators+`"#`)
	if end < 0 {
		end = len(list)
	}
	token, after = strings.TrimRight(list[:end], ascii.Space), list[end:]
	switch {
	case strings.HasPrefix(after, `"`):
		return "", "", &SyntaxError{fmt.Sprintf("quote within a token at %q", list), `quote the whole token, and write \" for a quote in it`}
	case strings.HasPrefix(after, "#"):
		return "", "", &SyntaxError{fmt.Sprintf(`"#" within a list at %q`, list), "quote a token that contains one; a comment needs a separate line"}
	case strings.HasPrefix(after, ";"):
		return "", "", semicolon(list)
	case token == "":
		return "", "", &SyntaxError{"empty token", `write a product token such as FooBot, or "*" for all crawlers`}
	}
	return token, after, nil
}

func cutQuoted(list string) (token, after string, err error) {
	quoted, err := strconv.QuotedPrefix(list)
	if err != nil || !utf8.ValidString(quoted) { // the rest of the function would replace invalid bytes
		return "", "", &SyntaxError{fmt.Sprintf("bad quoted token at %q", list),
			`close the quote; within it write \" for a quote, \\ for a backslash and \xHH for a byte that is not UTF-8`}
	}
	token, _ = strconv.Unquote(quoted)
	after = strings.TrimLeft(list[len(quoted):], ascii.Space)
	switch {
	case after == "" || after[0] == ',' || after[0] == ':':
		return token, after, nil
	case after[0] == ';':
		return "", "", semicolon(list)
	}
	return "", "", &SyntaxError{fmt.Sprintf("no separator after %s at %q", quoted, list), "write a comma before the next crawler, a colon before a fallback"}
}

// semicolon returns the error for a list in the older form, in which a comma made a
// fallback chain.
func semicolon(list string) error {
	return &SyntaxError{fmt.Sprintf("semicolon at %q", list),
		"a comma separates crawlers, a colon makes a fallback chain (Googlebot-News:Googlebot); quote a token that contains a semicolon"}
}

// Format returns a list that Parse reads as the same crawlers. Each must have at
// least one token. Tokens are quoted only where that is necessary.
func Format(crawlers ...[]string) string {
	if len(crawlers) == 1 && len(crawlers[0]) == 1 {
		if header := crawlers[0][0]; isPlain(header) && agentheader.IsHeader(header) && separate(header) == nil {
			return header
		}
	}
	list := format(crawlers, false)
	if isHeader(list) {
		return format(crawlers, true)
	}
	return list
}

func isHeader(list string) bool {
	return !strings.Contains(list, `"`) && agentheader.IsHeader(list)
}

func format(crawlers [][]string, quoted bool) string {
	var list strings.Builder
	for i, chain := range crawlers {
		if i > 0 {
			list.WriteString(", ")
		}
		for j, token := range chain {
			if j > 0 {
				list.WriteByte(':')
			}
			if quoted || !isPlain(token) || strings.ContainsAny(token, separators+"#") || agentheader.IsHeader(token) {
				token = strconv.Quote(token)
			}
			list.WriteString(token)
		}
	}
	return list.String()
}

const separators = ",:;"

// isPlain reports whether a token alone can be written without quotes: it is not empty, is
// printable, contains no quotes or backslashes, and has white space only in its middle.
func isPlain(token string) bool {
	return token != "" && strings.Trim(token, ascii.Space) == token && strconv.Quote(token) == `"`+token+`"`
}
