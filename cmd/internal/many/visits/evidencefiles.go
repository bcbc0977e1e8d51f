package visits

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/kosterhq/robotstxt/crawlers"
	"github.com/kosterhq/robotstxt/history"
	"github.com/kosterhq/robotstxt/internal/regular"
)

// keepFiles writes the files that were served.
func (r *run) keepFiles(ctx context.Context, k *kept) error {
	if r.History == nil {
		k.Served = r.given.sha
		return r.Evidence.write(r.File, filesFolder, k.Served+".txt")
	}
	longest := time.Duration(0)
	for _, c := range r.crawlers {
		longest = max(longest, c.keep)
	}
	reach := longest + minKeep + history.MaxLifetime + r.Terms.SiteCache + max(r.Terms.DeployLag, minKeep)
	from := instant(r.Evidence.windows[0].from).Add(-reach)
	to := instant(r.Evidence.windows[len(r.Evidence.windows)-1].to).Add(minKeep)
	for _, site := range r.result.Sites {
		spans, err := r.spansOf(ctx, site, from, to)
		if err != nil {
			return err
		}
		for _, span := range spans {
			one, err := r.keepSpan(ctx, site, span)
			if err != nil {
				return err
			}
			k.Spans = append(k.Spans, one)
		}
	}
	return nil
}

// spansOf returns the spans of a time, with the observations next to a span without one at either end:
// these decide how long the versions on both sides of it can be in use.
func (r *run) spansOf(ctx context.Context, site string, from, to time.Time) ([]history.Span, error) {
	spans, err := r.History.Window(ctx, site, from, to)
	if err != nil || len(spans) == 0 {
		return nil, err
	}
	return r.History.Window(ctx, site, spans[0].From, spans[len(spans)-1].To)
}

func (r *run) keepSpan(ctx context.Context, site string, span history.Span) (keptSpan, error) {
	v := span.Version
	one := keptSpan{
		Site: site, From: span.From, To: span.To, Certainty: span.Certainty, Observations: span.Observations,
		Sources: slices.Concat([]string{}, span.Sources), Lifetime: span.Lifetime,
		Status: v.Status, Fault: v.Fault, Truncated: v.Truncated,
	}
	if span.Observations == 0 && span.Next != nil {
		one.Certainty = history.Possible // files that mean the same are two
	}
	if !v.HasBody {
		return one, nil
	}
	one.SHA256 = hex.EncodeToString(v.SHA256[:])
	body, err := r.History.Body(ctx, v.SHA256)
	if err != nil {
		return one, err
	}
	return one, r.Evidence.write(body, filesFolder, one.SHA256+".txt")
}

// listKey is a reading of a list.
type listKey struct {
	url  string
	date int64
}

// listsOfAccused returns the addresses of the lists of accused operators, and the time in which those that decide
// an identity were read.
func (r *run) listsOfAccused() (urls map[string]bool, from, to time.Time) {
	const reach = 31 * 24 * time.Hour
	operators := map[string]bool{}
	begin, end := r.Evidence.windows[0].from, r.Evidence.windows[len(r.Evidence.windows)-1].to
	for c := range r.Evidence.proofs {
		operators[c.Operator] = true
	}
	for id, first := range r.verified {
		if operators[r.crawlers[id].Operator] {
			begin, end = min(begin, first.at), max(end, first.at)
		}
	}
	urls = map[string]bool{}
	for c := range crawlers.All() {
		if operators[c.Operator] {
			for _, url := range c.IPRanges {
				urls[url] = true
			}
		}
	}
	return urls, instant(begin).Add(-reach), instant(end).Add(reach)
}

// keepLists writes the lists of the accused operators that were read near the visits, and returns the
// names of their files.
func (r *run) keepLists() (names map[listKey]string, err error) {
	urls, from, to := r.listsOfAccused()
	index, err := regular.Open(filepath.Join(r.Evidence.Lists, "index.jsonl"))
	if err != nil {
		return nil, err
	}
	defer index.Close()
	names = map[listKey]string{}
	copied := map[string]string{} // the names of copies by those of lists: one list can be read on many days
	var text bytes.Buffer
	scanner := bufio.NewScanner(index)
	for scanner.Scan() {
		var read struct {
			URL  string    `json:"url"`
			Date time.Time `json:"date"`
			File string    `json:"file"`
		}
		if json.Unmarshal(scanner.Bytes(), &read) != nil || !urls[read.URL] ||
			read.Date.Before(from) || read.Date.After(to) {
			continue
		}
		name, known := copied[read.File]
		if !known {
			name, err = r.Evidence.copyList(read.File)
			if errors.Is(err, fs.ErrNotExist) {
				continue // Lists.Err names it
			} else if err != nil {
				return nil, err
			}
			copied[read.File] = name
		}
		read.File = name
		names[listKey{read.URL, read.Date.UnixNano()}] = listsFolder + "/" + read.File
		line, err := json.Marshal(read)
		if err != nil {
			return nil, err
		}
		text.Write(append(line, '\n'))
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	return names, r.Evidence.write(text.Bytes(), listsFolder, "index.jsonl")
}

// copyList writes a list of the lists' folder under its checksum, and returns that name.
func (e *Evidence) copyList(file string) (name string, err error) {
	list, err := regular.Read(filepath.Join(e.Lists, file), maxKeptBytes)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(list)
	name = hex.EncodeToString(sum[:]) + ".json"
	return name, e.write(list, listsFolder, name)
}
