package serve

import (
	"cmp"
	"context"

	"github.com/kosterhq/robotstxt/cmd/internal/ask/answer"
	"github.com/kosterhq/robotstxt/cmd/internal/frontends/calls"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// answersWriter writes the answers to a query in the form of wire.Answers. If they fit
// into one buffer, they are written at once, with their length. Otherwise they are
// written while they are made: memory does not depend on their number, and the work stops
// if a client does not read.
//
// After the first byte an error can no longer be sent. So if the answers could be longer
// than answersBytes, their length is computed first. A failure after the first byte
// breaks the connection off, which shows the client that the answer is incomplete.
type answersWriter struct {
	c *call
	q *calls.Question

	text     []byte
	size     int64 // bytes of the answers before text
	counting bool  // answers are counted and not written
}

// largestBuffer is the size of the buffer above which answers are written.
const largestBuffer = 256 << 10

// answersBytes bounds the answers to a request, whatever their number: some 200,000 of usual
// length. Each contains the URL and the deciding rule, which can both be long.
const answersBytes = 64 << 20

var errLongAnswers = &calls.Error{Code: calls.CodeLimit, Field: "urls", Message: "the answers are longer than 64 MiB",
	Hint: "send fewer URLs or crawlers, or a stream with the Content-Type " + typeLines}

func (w *answersWriter) write(ctx context.Context, rulings []*answer.Ruling) error {
	all, largest := w.bound(rulings)
	// The buffer grows by doubling, and an answer is appended before the text is sent.
	if err := w.c.memory.take(2 * min(all, largestBuffer+largest)); err != nil {
		return err
	}
	if all > answersBytes {
		w.counting = true
		if err := w.append(ctx, rulings); err != nil {
			return err
		}
		if w.size+int64(len(w.text)) > answersBytes {
			return errLongAnswers
		}
		w.counting = false
		w.size = 0
		w.text = w.text[:0]
	}
	if err := w.append(ctx, rulings); err != nil {
		return err
	}
	if w.size == 0 {
		return writeJSON(w.c, w.text)
	}
	_, err := w.c.Write(w.text)
	return err
}

// The largest number of bytes of an answer apart from its texts, and of one byte of a
// text in JSON.
const (
	answerBytes = 2 << 10
	escapeBytes = 6
)

// bound returns upper bounds of the length of all answers, and of the largest one.
func (w *answersWriter) bound(rulings []*answer.Ruling) (all, largest int64) {
	line, about := 0, 0
	for i, r := range rulings {
		if i > 0 && r == rulings[i-1] {
			continue
		}
		line = max(line, r.File.LongestRule())
		if r.Site != nil {
			about = max(about, len(r.Site.RobotsURL)+len(r.Site.Fault)+len(r.Site.FetchReason))
		}
	}
	name, text := 0, 0
	for _, crawler := range w.q.Crawlers {
		name = max(name, 3*len(crawler.Name)) // and its tokens, and the token of the group
	}
	for _, url := range w.q.URLs {
		text = max(text, 6*len(url)) // and the compared URL, in which a byte can take three
	}
	largest = answerBytes + escapeBytes*int64(line+about+name+text)
	all = largest * int64(len(w.q.URLs)) * int64(len(w.q.Crawlers))
	return all + answerBytes + escapeBytes*int64(about), largest
}

func (w *answersWriter) append(ctx context.Context, rulings []*answer.Ruling) error {
	truncated := false
	site := rulings[0].Site
	for _, r := range rulings {
		truncated = truncated || r.File.Truncated
		if r.Site != site {
			site = nil
		}
	}
	var err error
	first := true
	w.text = wire.AppendAnswersHead(w.text, truncated)
	for a := range w.q.Answers(rulings) {
		w.text, err = wire.AppendAnswer(w.text, &a, first)
		if err != nil {
			return err
		}
		first = false
		if err = w.next(ctx); err != nil {
			return err
		}
	}
	w.text, err = wire.AppendAnswersTail(w.text, site)
	return err
}

// next is called after each answer. It passes the turn to another request, and writes the
// text if it is long.
func (w *answersWriter) next(ctx context.Context) error {
	if err := cmp.Or(ctx.Err(), w.c.turn.pass(ctx)); err != nil {
		return err
	}
	if len(w.text) < largestBuffer {
		return nil
	}
	w.size += int64(len(w.text))
	if w.counting {
		w.text = w.text[:0]
		if w.size > answersBytes {
			return errLongAnswers
		}
		return nil
	}
	w.c.Header()["Content-Type"] = headerJSON
	if _, err := w.c.Write(w.text); err != nil {
		return err
	}
	w.text = w.text[:0]
	return w.c.turn.begin(ctx, 0)
}
