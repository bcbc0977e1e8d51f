package watch

import (
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// Atom writes the latest messages as a feed into a file (RFC 4287).
type Atom struct {
	File  string
	Store *Store
}

// mostEntries is how many messages the feed has.
const mostEntries = 100

// Name returns the name of the file, shortened to a digest.
func (a *Atom) Name() string {
	path, err := filepath.Abs(a.File)
	if err != nil {
		path = a.File
	}
	return "atom " + uuid(path)
}

// Deliver replaces the file by one with all latest messages.
func (a *Atom) Deliver(ctx context.Context, m *wire.WatchMessage) error {
	list, err := a.Store.Latest(ctx, mostEntries)
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(a.File), ".robots-atom-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // fails after the rename
	_, err = temporary.WriteString(feed(list, m.At))
	if err == nil {
		err = temporary.Chmod(0o644) // for a web server
	}
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), a.File)
}

// feed returns the document.
func feed(list []wire.WatchMessage, updated time.Time) string {
	var b strings.Builder
	element := func(indent, name, text string) {
		b.WriteString(indent + "<" + name + ">")
		_ = xml.EscapeText(&b, []byte(text)) // a Builder does not fail
		b.WriteString("</" + name + ">\n")
	}
	if len(list) > 0 {
		updated = list[0].At
	}
	b.WriteString("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n")
	element("  ", "id", "urn:uuid:"+uuid("feed of robots watch"))
	element("  ", "title", "Changes of robots.txt")
	element("  ", "updated", updated.UTC().Format(time.RFC3339))
	for i := range list {
		m := &list[i]
		title, _, _ := strings.Cut(m.Text, "\n")
		b.WriteString("  <entry>\n")
		element("    ", "id", "urn:uuid:"+m.ID)
		element("    ", "title", title)
		element("    ", "updated", m.At.UTC().Format(time.RFC3339))
		b.WriteString("    <author><name>robots watch</name></author>\n    <category term=\"" + string(m.Gravity) + "\"/>\n")
		element("    ", "content", m.Text)
		b.WriteString("  </entry>\n")
	}
	b.WriteString("</feed>\n")
	return b.String()
}
