package visitor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/internal/faulttext"
	_ "github.com/kosterhq/robotstxt/internal/faulttext/network" // words for the errors of requests
	"github.com/kosterhq/robotstxt/internal/folders"
	"github.com/kosterhq/robotstxt/internal/regular"
)

// URLs returns the addresses of the lists of all crawlers, sorted.
func URLs() (urls []string) {
	for c := range crawlers.All() {
		urls = append(urls, c.IPRanges...)
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}

// FetchError is the error of a list that could not be fetched.
type FetchError struct {
	URL string
	Err error
}

// Error returns the URL and the error in one line.
func (e *FetchError) Error() string { return e.URL + ": " + faulttext.Of(e.Err) }

// Unwrap returns Err.
func (e *FetchError) Unwrap() error { return e.Err }

// Fetch adds the current lists, each at most hourly, and keeps older ones. If a list cannot be
// fetched, or the response is not a list, the others are still added; the error then joins a
// *FetchError for each. c should refuse private addresses, such as a client with fetch.Guard.
func (l *Lists) Fetch(ctx context.Context, c *http.Client) error {
	var failed []error
	for _, url := range URLs() {
		if err := l.FetchURL(ctx, c, url); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// minAge is how old a list is before it is fetched again.
const minAge = time.Hour

// maxFetch bounds the time for a list.
const maxFetch = time.Minute

// FetchURL is Fetch for one list. Its error is a *FetchError.
func (l *Lists) FetchURL(ctx context.Context, c *http.Client, url string) error {
	if err := l.fetchURL(ctx, c, url); err != nil {
		return &FetchError{url, err}
	}
	return nil
}

func (l *Lists) fetchURL(ctx context.Context, c *http.Client, url string) error {
	switch {
	case l.read == nil:
		return errors.New("the lists have no folder: open them with OpenLists")
	case c == nil:
		return errors.New("the client is nil: give one, such as a client with fetch.Guard")
	}
	l.mu.Lock()
	var last reading
	if all := l.read[url]; len(all) > 0 {
		last = all[len(all)-1]
	}
	l.mu.Unlock()
	if age := time.Since(last.Date); age >= 0 && age < minAge {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, maxFetch)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if last.ETag != "" {
		request.Header.Set("If-None-Match", last.ETag)
	}
	response, err := c.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	now := reading{URL: url, Date: time.Now().UTC().Truncate(time.Second), ETag: last.ETag, File: last.File}
	switch response.StatusCode {
	case http.StatusNotModified:
		if last.File == "" {
			return errors.New("status 304 without a list")
		}
	case http.StatusOK:
		text, err := io.ReadAll(io.LimitReader(response.Body, maxListBytes+1))
		if err != nil {
			return err
		}
		if _, err := parseList(text); err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		now.ETag = response.Header.Get("ETag")
		now.File = hex.EncodeToString(sum[:8]) + ".json"
		if err := l.keep(now.File, text); err != nil {
			return err
		}
	default:
		return fmt.Errorf("status %d", response.StatusCode)
	}
	return l.add(now)
}

// keep writes a list. Another process can write the same list.
func (l *Lists) keep(name string, text []byte) error {
	if err := folders.Make(l.dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(l.dir, "list-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(l.dir, name))
}

func (l *Lists) add(r reading) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(l.dir, indexName), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if regular.IsCut(f) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read[r.URL] = append(l.read[r.URL], r)
	return nil
}
