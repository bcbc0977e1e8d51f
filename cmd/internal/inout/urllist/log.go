package urllist

import (
	"errors"
	"io"
	"strings"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/accesslog"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
)

// log reads the path of each request, and joins it with the site or the host in the log.
// Requests without a path, for example from port scanners, are counted and ignored.
func (w *walk) log(l *lines) error {
	pathless := 0
	defer func() {
		if pathless > 0 {
			w.Note(w.Name + ": ignored " + term.Count(pathless, "request", "requests") + " without a path")
		}
	}()
	p := accesslog.Parser{Name: w.Name, Map: w.Map, Format: w.LogFormat}
	if w.Site == "" && !w.Paths {
		p.Need = accesslog.Host
	}
	isNoted := false
	for {
		line, err := l.next()
		var e accesslog.Entry
		isRequest := false
		if err == nil {
			isRequest, err = p.Parse(line, &e)
		}
		if isRequest && !isNoted {
			isNoted = true
			w.found("%s", logName(p.Form()))
		}
		switch {
		case err == io.EOF:
			return nil
		case err == errTooLong:
			err = w.bad(l.number, "", "the line is %v", errTooLong)
		case errors.Is(err, accesslog.ErrUnreadable):
			err = w.bad(l.number, "", "%s: %v", quote(string(line)), accesslog.ErrUnreadable)
		case err != nil || !isRequest:
		case len(e.Target) == 0:
			pathless++
		default:
			err = w.request(l.number, &e)
		}
		if err != nil {
			return err
		}
	}
}

func logName(form accesslog.Form) string {
	if form == accesslog.Combined || form == accesslog.Virtual {
		return "an access log"
	}
	return "an access log in " + string(form)
}

func (w *walk) request(number int, e *accesslog.Entry) error {
	target, site := string(e.Target), w.Site
	if site == "" && len(e.Host) > 0 {
		if o := e.Origin("https"); !o.IsZero() {
			site = o.String()
		}
	}
	switch {
	case accesslog.HasScheme(target):
		return w.emit(number, target)
	case site != "":
		return w.url(site + target)
	case !w.Paths:
		return term.Errorf("%s:%d: the requests of the log have no host", w.Name, number).Hint(hints[noHost])
	case strings.HasPrefix(target, "//"):
		return w.url("http://host" + target) // a path with two slashes, not a host
	default:
		return w.url(target)
	}
}
