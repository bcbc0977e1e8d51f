package watch

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/files"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/markup"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// Atom writes the latest messages as a feed into a file (RFC 4287).
type Atom struct {
	File  string
	Store *Store
}

const maxEntries = 100

// Name returns the name of the file, shortened to a digest.
func (a *Atom) Name() string {
	path, err := filepath.Abs(a.File)
	if err != nil {
		path = a.File
	}
	return "atom " + uuid(path)
}

// Deliver replaces the file with one that has all latest messages.
func (a *Atom) Deliver(ctx context.Context, m *wire.WatchMessage) error {
	list, err := a.Store.Latest(ctx, maxEntries)
	if err != nil {
		return err
	}
	return files.Write(a.File, func(to io.Writer) error {
		_, err := io.WriteString(to, feed(list, m.At))
		return err
	})
}

func feed(list []wire.WatchMessage, updated time.Time) string {
	var w markup.Writer
	if len(list) > 0 {
		updated = list[0].At
	}
	w.Print("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n")
	w.Print("  <id>urn:uuid:%s</id>\n  <title>Changes of robots.txt</title>\n  <updated>%s</updated>\n",
		uuid("feed of robots watch"), updated.UTC().Format(time.RFC3339))
	for i := range list {
		m := &list[i]
		title, _, _ := strings.Cut(m.Text, "\n")
		w.Print("  <entry>\n    <id>urn:uuid:%s</id>\n    <title>%s</title>\n    <updated>%s</updated>\n",
			m.ID, markup.ForXML(title), m.At.UTC().Format(time.RFC3339))
		w.Print("    <author><name>robots watch</name></author>\n    <category term=\"%s\"/>\n    <content>%s</content>\n  </entry>\n",
			string(m.Gravity), markup.ForXML(m.Text))
	}
	w.Print("</feed>\n")
	return w.String()
}
