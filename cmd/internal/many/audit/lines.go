package audit

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/bounds"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/times"
	"github.com/kosterhq/robotstxt/origin"
)

// maxLine is the limit in bytes of a line of NDJSON: a body as long as the limit, with six bytes
// for each of its bytes, as in \u0000, and the other fields.
func (c Config) maxLine() int { return 6*c.limit() + 64<<10 }

type lineInput struct {
	Host       string     `json:"host"`
	URL        string     `json:"url"`
	FetchedAt  timeOfLine `json:"fetched_at"`
	Status     int        `json:"status"`
	Location   string     `json:"location"`
	Body       *string    `json:"body"`
	BodyBase64 *[]byte    `json:"body_base64"`

	Record *string `json:"record"` // the record of a table
}

// timeOfLine is a time as a text, which can be a number in the JSON.
type timeOfLine string

// UnmarshalJSON keeps any value, so that a wrong time does not lose the line.
func (t *timeOfLine) UnmarshalJSON(value []byte) error {
	var text string
	switch {
	case string(value) == "null":
	case json.Unmarshal(value, &text) == nil:
		*t = timeOfLine(text)
	default:
		*t = timeOfLine(value)
	}
	return nil
}

// setTime sets the time of an input to a text, "" for none. A time that cannot be read is
// unknown.
func (in *Input) setTime(text string) {
	if text == "" {
		return
	}
	at, err := times.Parse(text)
	if err != nil {
		in.Undated, in.Detail = true, term.Reason(err)
		return
	}
	in.FetchedAt, in.Zoneless = at.Time, at.Zoneless
}

// errTable is the error for a table of an audit that is not in Parquet. The column body of such
// a table does not contain files.
var errTable = term.Errorf("this is a table of an audit, and has no robots.txt files").Hint("write it as .parquet to count it again")

func (l *lineInput) isTable(text []byte) bool {
	var columns map[string]any
	return l.Record != nil && json.Unmarshal(text, &columns) == nil && kindOf(slices.Collect(maps.Keys(columns))) != ""
}

// lines yields the files in lines of JSON. A line that cannot be read is a file with a
// problem.
func (r *reader) lines(text *bufio.Reader) error {
	var buffer []byte
	for number := 1; ; number++ {
		var tooLong bool
		var err error
		buffer, tooLong, err = readLine(text, buffer[:0], r.config.maxLine())
		if err == io.EOF {
			return r.rowsEnd()
		}
		if err != nil {
			return err
		}
		if len(buffer) == 0 && !tooLong {
			continue
		}
		in := Input{Record: line(number)}
		isLast := endsWithin(text)
		if tooLong {
			in.Problem, in.Detail = Damaged, fmt.Sprintf("the line is longer than %d bytes", r.config.maxLine())
		} else if err := r.line(&in, buffer); err == errTable {
			return err
		} else if err == errOtherPath {
			if err := r.ended(); err != nil {
				return err
			}
			continue
		} else if err != nil && isLast && buffer[0] == '{' && !json.Valid(buffer) {
			return io.ErrUnexpectedEOF
		} else if err != nil {
			in.Problem, in.Detail = Damaged, term.Reason(err)
		}
		if err := r.yield(&in); err != nil {
			return err
		}
	}
}

// endsWithin reports whether a text has ended within the line that was read last.
func endsWithin(text *bufio.Reader) bool {
	if text.UnreadByte() != nil {
		return false
	}
	last, _ := text.ReadByte()
	_, err := text.Peek(1)
	return last != '\n' && err == io.EOF
}

// readLine appends the next line without its end. The rest of a line that is longer
// than most is skipped.
func readLine(text *bufio.Reader, to []byte, most int) (line []byte, tooLong bool, err error) {
	for skipped := 0; skipped < bounds.MaxSkipped; {
		part, err := text.ReadSlice('\n')
		if err == io.EOF && len(part) == 0 && len(to) == 0 && !tooLong {
			return to, false, io.EOF
		}
		if len(to)+len(part) > most {
			tooLong = true
			skipped += len(part)
			part = nil
		}
		to = append(to, part...)
		switch err {
		case bufio.ErrBufferFull:
		case nil, io.EOF:
			for len(to) > 0 && (to[len(to)-1] == '\n' || to[len(to)-1] == '\r') {
				to = to[:len(to)-1]
			}
			return to, tooLong, nil
		default:
			return to, tooLong, err
		}
	}
	return to, true, bounds.Endless("lines of text")
}

func (r *reader) line(in *Input, text []byte) error {
	var l lineInput
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	if l.isTable(text) {
		return errTable
	}
	return r.fill(in, &l)
}

// errOtherPath is fill's error for a URL that is not a robots.txt.
var errOtherPath = errors.New("it is not the URL of a robots.txt")

// rowsEnd returns an error if there were rows, but none had the URL of a robots.txt, or if all
// had texts instead of statuses.
func (r *reader) rowsEnd() error {
	if r.skipped > 0 && r.filled == 0 {
		return term.Errorf("no row has the URL of a robots.txt").Hint("is it the column of hosts? then give --columns host=NAME")
	}
	if r.noStatus != "" && !r.statuses {
		return term.Errorf("no row has a number in the column of statuses; one has %.40q", r.noStatus).Hint("name the column of statuses, --columns status=NAME, or none, --columns status=")
	}
	return nil
}

func (r *reader) fill(in *Input, l *lineInput) error {
	host, path, _ := splitURL(l.URL)
	if l.URL != "" && !isRobots(path) {
		r.skipped++
		return errOtherPath
	}
	r.filled++
	in.Host = canonicalHost(l.Host, l.URL)
	in.URL = origin.Text(l.URL).Given() // without user name and password
	in.Status = l.Status
	in.setTime(string(l.FetchedAt))
	if in.Host == "" {
		in.Host = host
	}
	in.Sent = -1
	if l.Location != "" {
		in.setHeader(http.Header{"Location": {l.Location}})
	}
	switch {
	case in.Host == "":
		return errors.New("there is neither a host nor a url")
	case l.Status != 0 && (l.Status < 100 || l.Status > 999):
		return fmt.Errorf("%d is not an HTTP status", l.Status)
	case l.Body != nil && l.BodyBase64 != nil:
		return errors.New("there are both a body and a body_base64")
	case l.Body != nil:
		in.Body = []byte(*l.Body)
	case l.BodyBase64 != nil:
		in.Body = *l.BodyBase64
	case l.Status == 0 || l.Status/100 == 2:
		return errors.New("there is neither a body nor a body_base64")
	}
	if limit := r.config.limit(); len(in.Body) > limit {
		in.Body = in.Body[:limit]
		in.Cut = true
	}
	return nil
}
