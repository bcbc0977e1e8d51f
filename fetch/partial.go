package fetch

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// readWholeRange reads the body of a 206 response. It is the file if Content-Range
// says that the file has n bytes and that all of them are sent, and if n bytes
// arrive. Anything else is a fault: a part of a file may lack the rules that
// matter. [RFC 9110 15.3.7]
func (c *Client) readWholeRange(response *http.Response, cancel context.CancelCauseFunc, a *attempt) error {
	n, ok := wholeRange(response.Header)
	if !ok || response.ContentLength >= 0 && response.ContentLength != n {
		a.err = statusError{"HTTP", a.status, "a part of the file"}
		return nil
	}
	a.class = classFile
	arrived, err := c.readFile(response, cancel, a)
	if err == nil && arrived != n && !a.truncated { // of a longer file the beginning suffices
		err = fmt.Errorf("Content-Range promises %d bytes, and %d arrived", n, arrived)
	}
	if err != nil {
		a.body = nil
	}
	return err
}

// wholeRange returns n for a Content-Range of "bytes 0-(n-1)/n". [RFC 9110 14.4]
func wholeRange(h http.Header) (n int64, ok bool) {
	values := h.Values("Content-Range")
	if len(values) != 1 {
		return 0, false
	}
	unit, span, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	last, length, _ := strings.Cut(strings.TrimPrefix(span, "0-"), "/")
	n, err := strconv.ParseInt(length, 10, 64)
	ok = err == nil && n > 0 && strings.EqualFold(unit, "bytes") && span == fmt.Sprintf("0-%s/%d", last, n) && last == strconv.FormatInt(n-1, 10)
	return n, ok
}
