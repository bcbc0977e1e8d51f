package robotshttp

import (
	"io"
	"net/http"
	"sync"
)

// endWithBody ends a turn when the body of its response is closed or has been read to
// the end. It returns false if there is no body: the caller then ends the turn.
func endWithBody(t *turn, response *http.Response) bool {
	if t == nil || !t.counted || response.Body == nil || response.Body == http.NoBody {
		return false
	}
	body := &countedBody{ReadCloser: response.Body, end: sync.OnceFunc(t.end)}
	response.Body = body
	// After 101 Switching Protocols, net/http returns a body that can be written to.
	if writer, ok := body.ReadCloser.(io.Writer); ok {
		response.Body = &countedConn{body, writer}
	}
	return true
}

type countedBody struct {
	io.ReadCloser
	end func()
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.end()
	}
	return n, err
}

func (b *countedBody) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

// countedConn is a countedBody that can be written to.
type countedConn struct {
	*countedBody
	io.Writer
}
