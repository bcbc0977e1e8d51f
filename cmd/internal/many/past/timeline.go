package past

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
	"github.com/kosterhq/robotstxt/history"
)

// Timeline returns the history of a site between two times, with the changes of each
// version for the crawlers of reader.
func Timeline(ctx context.Context, store *history.Store, site string, from, to time.Time,
	reader *watch.Reader) (*wire.History, error) {
	spans, err := store.Window(ctx, site, from, to)
	if err != nil {
		return nil, err
	}
	result := &wire.History{Site: site, Spans: []wire.HistorySpan{}}
	var before *watch.Served
	var last history.Version
	for _, span := range spans {
		out := wire.HistorySpan{
			From: span.From, To: span.To, Certainty: string(span.Certainty), Verdicts: string(span.Verdicts),
			Observations: span.Observations, Sources: span.Sources, Dropped: span.Dropped,
			Changes: []wire.WatchChange{},
		}
		if out.Sources == nil {
			out.Sources = []string{}
		}
		if span.Observations > 0 {
			out.Version = version(span.Version)
			after, err := watch.ServedThen(ctx, store, span.Version, before)
			if err != nil {
				return nil, err
			}
			if before != nil && !last.Equal(span.Version) {
				out.Changes, err = reader.Changes(ctx, site, before, after)
				if err != nil {
					return nil, err
				}
				out.Changed = true
				if out.Changes == nil {
					out.Changes = []wire.WatchChange{}
				}
			}
			before, last = after, span.Version
		}
		result.Spans = append(result.Spans, out)
	}
	return result, nil
}

// version returns the JSON form of a version.
func version(v history.Version) *wire.HistoryVersion {
	out := &wire.HistoryVersion{Status: v.Status, Fault: v.Fault, FinalURL: v.FinalURL, Size: v.Size,
		Truncated: v.Truncated}
	if v.HasBody {
		out.SHA256 = hex.EncodeToString(v.SHA256[:])
	}
	return out
}

// At returns the known facts about a site at a time.
func At(ctx context.Context, store *history.Store, site string, at time.Time) (*wire.HistoryAnswer, error) {
	a, err := store.At(ctx, site, at)
	if err != nil {
		return nil, err
	}
	seen := func(s *history.Seen) *wire.HistorySeen {
		if s == nil {
			return nil
		}
		return &wire.HistorySeen{Time: s.Time, Version: *version(s.Version)}
	}
	return &wire.HistoryAnswer{Site: site, At: a.Time, Certainty: string(a.Certainty), Verdicts: string(a.Verdicts),
		Before: seen(a.Before), After: seen(a.After), Dropped: a.Dropped}, nil
}
