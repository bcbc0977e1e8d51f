package robotshttp

import (
	"context"
	"net/http"

	"github.com/kosterhq/robotstxt/fetch"
)

type resultKey struct{}

func keepResult(response *http.Response, sent *http.Request, result *fetch.Result) {
	if response.Request == nil {
		response.Request = sent
	}
	ctx := context.WithValue(response.Request.Context(), resultKey{}, result)
	response.Request = response.Request.WithContext(ctx)
}

// ResultOf returns the robots.txt by which a Transport with KeepResult allowed the request of a response.
// It is nil for any other response, for a nil response, and if no robots.txt governs the request.
func ResultOf(response *http.Response) *fetch.Result {
	if response == nil || response.Request == nil {
		return nil
	}
	result, _ := response.Request.Context().Value(resultKey{}).(*fetch.Result)
	return result
}
