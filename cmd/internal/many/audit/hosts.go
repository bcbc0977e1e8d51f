package audit

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/sites"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/fetch"
)

type hosts struct {
	name   string
	open   func() (list io.Reader, close func(), err error)
	client *fetch.Client
}

// Hosts returns the source of the files of hosts, which a client fetches, several at
// the same time. A list has a host or a URL in each line; empty lines and those that
// begin with '#' are skipped. The first row of a CSV file names its columns.
func Hosts(name string, open func() (list io.Reader, close func(), err error), client *fetch.Client) Source {
	return &hosts{name, open, client}
}

func (h *hosts) Name() string { return h.name }

func (h *hosts) Files(ctx context.Context, yield func(*Input) error) error {
	list, closeList, err := h.open()
	if err != nil {
		return err
	}
	defer closeList()
	question := sites.Question{Client: h.client}
	for visit, err := range question.Visits(ctx, sites.URLs{All: h.urls(list)}) {
		if err != nil {
			return err
		}
		in := Input{Record: visit.URL}
		if visit.Err != nil {
			in.Problem, in.Detail = Damaged, visit.Err.Error()
		} else {
			in.Host, _, _ = splitURL(visit.URL)
			site := visit.Ruling.Site
			in.URL = site.RobotsURL
			in.Status = site.Status
			in.Outcome = site.Outcome
			in.Cut = site.Truncated
			in.FetchedAt = site.FetchedAt
			in.Body = visit.Ruling.File.Text
			if site.Outcome != wire.OutcomeRules && (site.IsNotFoundPage() || site.Status < 400) {
				in.Detail = site.FetchReason
			}
			if !site.Answered() {
				in.Problem = NoAnswer
				in.Detail = site.FetchReason
				in.Status = 0
				in.Body = nil
			}
		}
		if err := yield(&in); err != nil {
			return err
		}
	}
	return nil
}

// maxHost is the limit in bytes of a line in a list.
const maxHost = 4096

// urls yields the URLs of a list. A list in a CSV file has a column of hosts.
func (h *hosts) urls(list io.Reader) iter.Seq2[string, error] {
	if strings.HasSuffix(strings.ToLower(h.name), ".csv") {
		return csvHosts(list)
	}
	return func(yield func(string, error) bool) {
		lines := bufio.NewReader(list)
		buffer := []byte(nil)
		for number := 1; ; number++ {
			var tooLong bool
			var err error
			buffer, tooLong, err = readLine(lines, buffer[:0], maxHost)
			if err == io.EOF {
				return
			}
			if tooLong {
				err = fmt.Errorf("line %d is longer than %d bytes", number, maxHost)
			}
			url := strings.TrimSpace(string(buffer))
			if err == nil && (url == "" || url[0] == '#') {
				continue
			}
			if !yield(urlOf(url), err) {
				return
			}
		}
	}
}

func urlOf(host string) string {
	if !strings.Contains(host, "://") {
		return "https://" + host
	}
	return host
}

// csvHosts yields the URLs of the hosts in a CSV file, which can also be a list of ranks and hosts
// without names of columns.
func csvHosts(list io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		rows := newBoundedRows(list)
		head, first, err := readHead(rows)
		at := hostColumn(head)
		if first != nil && !yield(urlOf(first[at]), nil) {
			return
		}
		if err == nil && at < 0 {
			err = term.Errorf("the list has no column of hosts").Hint("its first row names the columns, one of them host")
		}
		for err == nil {
			var row []string
			row, err = rows.Read()
			if err == nil && !yield(urlOf(row[at]), nil) {
				return
			}
		}
		if err != io.EOF {
			yield("", err)
		}
	}
}
