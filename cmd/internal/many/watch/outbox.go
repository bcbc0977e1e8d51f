package watch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/internal/effecttext"
	"github.com/kosterhq/robotstxt/internal/sqlitefile"
)

// More sites than maxSingle, or one of fewShare of at least fewWatched, have one message
// with a list.
const (
	maxSingle  = 20
	fewWatched = 100
	fewShare   = 20 // 5%
)

// isMass reports whether the changes of a pass go into one message.
func isMass(changed, watched int) bool {
	return changed > maxSingle || watched >= fewWatched && changed*fewShare >= watched
}

// maxListed is the number of events in a list. Further events are only counted.
const maxListed = 1000

// The events of one site stay in order, so that its last message is about the current file: a
// run that was killed might have left several events. The sites with the most serious events
// come first, then the sites in alphabetical order.
const sqlWithoutMessage = `SELECT e.id, e.event, e.sum FROM events e LEFT JOIN sites s ON s.id = e.site
	WHERE e.message = 0 ORDER BY min(e.gravity) OVER (PARTITION BY e.site), s.origin, e.site, e.id LIMIT ?`

// Bundle puts the events without a message into messages: one for each, or one list if
// many of the watched sites have changed since the pass began. It returns how many
// messages it has made.
func (s *Store) Bundle(ctx context.Context, watched int, passBegan, now time.Time) (made int, err error) {
	err = s.transact(ctx, func(c *sqlitefile.Conn) error {
		made = 0
		if err := errors.Join(s.makeRoom(c, "messages"), s.reopen(c), s.repair(c)); err != nil { // before a new message
			return err
		}
		open, err := c.Number("SELECT count(*) FROM events WHERE message = 0")
		if err != nil || open == 0 {
			return err
		}
		changed, err := c.Number("SELECT count(*) FROM events WHERE message > 0 AND at >= ? AND at <= ?", passBegan.UnixMilli(), now.UnixMilli())
		if err != nil {
			return err
		}
		isList := open > 1 && isMass(int(open+changed), watched)
		few := int64(-1) // all of them
		if isList {
			few = maxListed
		}
		list, damaged, err := s.readEvents(c, sqlWithoutMessage, few)
		if err != nil {
			return err
		}
		for _, id := range damaged {
			if err := execute(c, "DELETE FROM events WHERE id = ?", id); err != nil {
				return err
			}
		}
		open -= int64(len(damaged))
		if isList && len(list) > 0 {
			made = 1
			groups, err := s.groups(c)
			if err != nil {
				return err
			}
			return addMessage(c, list, groups, int(open), watched, now)
		}
		for i := range list {
			if err := addMessage(c, list[i:i+1], nil, 1, watched, now); err != nil {
				return err
			}
		}
		made = len(list)
		return nil
	})
	return made, err
}

// groups returns the groups of all events without a message. It skips damaged ones.
func (s *Store) groups(c *sqlitefile.Conn) ([]wire.WatchGroup, error) {
	g := groups{sites: make(map[string]siteChange)}
	err := c.Query("SELECT event, sum FROM events WHERE message = 0", nil, func(row []driver.Value) error {
		var e wire.WatchEvent
		if text, ok := s.whole(row[0], row[1]); ok && json.Unmarshal(text, &e) == nil {
			g.add(&e)
		}
		return nil
	})
	return g.list(), err
}

type storedEvent struct {
	id int64
	wire.WatchEvent
}

// readEvents returns the events of a query for id, event and sum, and the ids of events that
// differ from what was written.
func (s *Store) readEvents(c *sqlitefile.Conn, query string,
	args ...driver.Value) (list []storedEvent, damaged []int64, err error) {
	err = c.Query(query, args, func(row []driver.Value) error {
		var e storedEvent
		sqlitefile.Scan(row, &e.id)
		if text, ok := s.whole(row[1], row[2]); !ok || json.Unmarshal(text, &e.WatchEvent) != nil {
			damaged = append(damaged, e.id)
			return nil
		}
		list = append(list, e)
		return nil
	})
	return list, damaged, err
}

// addMessage stores the message of some events: one event, or a list with the events of
// all sites or of the first ones.
func addMessage(c *sqlitefile.Conn, list []storedEvent, groups []wire.WatchGroup, sites, watched int,
	now time.Time) error {
	gravest := slices.MinFunc(list, func(a, b storedEvent) int { return cmp.Compare(rank(a.Gravity), rank(b.Gravity)) })
	m := wire.WatchMessage{
		ID: uuid(fmt.Sprintf("message %s %d", list[0].ID, sites)), At: now.UTC().Truncate(time.Millisecond), Gravity: gravest.Gravity,
		Sites: sites, Watched: watched, Groups: groups, Events: []wire.WatchEvent{}, Omitted: sites - len(list),
	}
	for i := range list {
		e := list[i].WatchEvent
		if sites > 1 { // so that the list stays short
			shown := e.Changes[:min(len(e.Changes), maxInList)]
			e.Changes, e.Omitted = shown, e.Omitted+len(e.Changes)-len(shown)
			for j := range shown {
				shown[j].Paths = []wire.PathChange{}
			}
		}
		m.Events = append(m.Events, e)
	}
	m.Text = messageText(&m)
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	id, err := c.Number("INSERT INTO messages (at, message, sum) VALUES (?, ?, ?) RETURNING id", now.UnixMilli(), text, checksum(text))
	if err != nil {
		return err
	}
	if sites > 1 {
		return execute(c, "UPDATE events SET message = ? WHERE message = 0", id)
	}
	return execute(c, "UPDATE events SET message = ? WHERE id = ?", id, list[0].id)
}

// maxInText is the number of groups in a text.
const maxInText = 20

func messageText(m *wire.WatchMessage) string {
	if len(m.Events) == 1 && m.Sites == 1 {
		e := &m.Events[0]
		lines := []string{about(e.Site, headline(e))}
		for i := 1; i < len(e.Changes); i++ {
			lines = append(lines, "- "+e.Changes[i].Text)
		}
		if e.Omitted > 0 {
			lines = append(lines, "- "+moreChanges(e))
		}
		return explained(lines)
	}
	lines := []string{fmt.Sprintf("robots.txt has changed on %s of %s watched", term.Count(m.Sites, "site", "sites"), term.Thousands(m.Watched))}
	left := m.Sites
	for i := range m.Groups {
		if i == maxInText {
			lines = append(lines, fmt.Sprintf("- and %s more", term.Thousands(left)))
			break
		}
		left -= m.Groups[i].Sites
		lines = append(lines, "- "+groupLine(&m.Groups[i]))
	}
	return explained(lines)
}

// explained returns lines as a text, and last the explanation of their patterns.
func explained(lines []string) string {
	if explanation := effecttext.Explain(true, lines...); explanation != "" {
		lines = append(lines, explanation)
	}
	return strings.Join(lines, "\n")
}

func moreChanges(e *wire.WatchEvent) string {
	return "and " + term.Count(e.Omitted, "more change", "more changes")
}

// about returns what a text says about a site, which is the subject of a text that begins with a verb.
func about(site, text string) string {
	if verbOf(text) == "" {
		return site + ": " + text
	}
	return site + " " + text
}

// verbOf returns the verb with which a text begins, "" if it begins with a subject.
func verbOf(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if slices.Contains([]string{"closes", "opens", "answers", "serves"}, first) {
		return first
	}
	return ""
}

func headline(e *wire.WatchEvent) string {
	if len(e.Changes) == 0 {
		return ""
	}
	return e.Changes[0].Text
}

// maxRow is above the id of every row that the store has added. SQLite adds no row after the id
// 1<<63 - 1, and says that the disk is full.
const maxRow = int64(1) << 62

// makeRoom makes a table take new rows again, whose ids or sequence are above maxRow or no numbers.
func (s *Store) makeRoom(c *sqlitefile.Conn, table string) error {
	const forget = "DELETE FROM sqlite_sequence WHERE name = ? AND (typeof(seq) <> 'integer' OR seq > ?)"
	n, err := c.Exec(forget, table, maxRow)
	for moved := int64(1); err == nil && moved > 0; n += moved {
		moved, err = c.Exec("UPDATE "+table+" SET id = (SELECT coalesce(max(id), 0) + 1 FROM "+table+
			" WHERE id <= ?1) WHERE id = (SELECT min(id) FROM "+table+" WHERE id > ?1)", maxRow)
	}
	if n > 0 {
		s.noteDamage("the largest number of " + table + ", which is made smaller")
	}
	return err
}

// reopen takes events out of messages that have vanished, if an output has not delivered them.
func (s *Store) reopen(c *sqlitefile.Conn) error {
	const open = `UPDATE events SET message = 0 WHERE message NOT IN (SELECT id FROM messages)
		AND message > (SELECT max(coalesce(min(position), 0), 0) FROM outputs WHERE typeof(position) = 'integer')`
	n, err := c.Exec(open)
	if n > 0 {
		s.noteDamage("a message that is missing, whose events are delivered again")
	}
	return err
}

// repair lets an output whose position cannot be right begin again: above all messages that there
// were, new ones would never be delivered, and a text or a fraction never advances. Messages that
// are delivered twice are better than lost ones.
func (s *Store) repair(c *sqlitefile.Conn) error {
	const reset = `UPDATE outputs SET position = 0 WHERE typeof(position) <> 'integer' OR position > max(
		(SELECT coalesce(max(id), 0) FROM messages),
		(SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'messages' AND typeof(seq) = 'integer'))`
	n, err := c.Exec(reset)
	if n > 0 {
		s.noteDamage("the position of an output, which delivers all messages again")
	}
	return err
}

var errClaimed = errors.New("another process delivers")

var errUnregistered = errors.New("the output is unknown")

// position returns the last message that an output has delivered, and claims the output for
// this process. The error is errClaimed if another process has claimed it, and errUnregistered if
// the store has no row for it.
func (s *Store) position(ctx context.Context, name string, now time.Time) (position int64, err error) {
	const claim = "UPDATE outputs SET claimed = ?1 WHERE name = ?2 AND NOT (claimed > ?3 AND claimed <= ?1) RETURNING position"
	reason := error(nil)
	err = s.transact(ctx, func(c *sqlitefile.Conn) error {
		reason = nil
		if err := s.repair(c); err != nil {
			return err
		}
		claimed, err := c.Row(claim, []driver.Value{now.Add(lease).UnixMilli(), name, now.UnixMilli()}, &position)
		if err != nil || claimed {
			return err
		}
		known, err := c.Number("SELECT count(*) FROM outputs WHERE name = ?", name)
		reason = errClaimed
		if known == 0 {
			reason = errUnregistered
		}
		return err
	})
	return position, cmp.Or(err, reason)
}

// lease is the time for which the claim of an output lasts, for each message. If a delivery
// takes longer, another process might deliver the message too.
const lease = 30 * time.Second

// next returns the first message after a position, nil if it is damaged, or id 0 if there is
// none.
func (s *Store) next(ctx context.Context, position int64) (id int64, m *wire.WatchMessage, err error) {
	list, err := s.readMessages(ctx, "SELECT id, message, sum FROM messages WHERE id > ? ORDER BY id LIMIT 1", position)
	if err != nil || len(list) == 0 {
		return 0, nil, err
	}
	return list[0].id, list[0].message, nil
}

// storedMessage is a message with its row. The message is nil if it differs from what was
// written.
type storedMessage struct {
	id      int64
	message *wire.WatchMessage
}

func (s *Store) readMessages(ctx context.Context, query string,
	args ...driver.Value) (list []storedMessage, err error) {
	err = s.db.Read(ctx, func(c *sqlitefile.Conn) error {
		list = list[:0]
		return c.Query(query, args, func(row []driver.Value) error {
			var m storedMessage
			sqlitefile.Scan(row, &m.id)
			if text, ok := s.whole(row[1], row[2]); ok && json.Unmarshal(text, &m.message) != nil {
				m.message = nil
			}
			list = append(list, m)
			return nil
		})
	})
	return list, err
}

func (s *Store) undelivered(ctx context.Context, name string) (n int64, err error) {
	err = s.db.Read(ctx, func(c *sqlitefile.Conn) (err error) {
		n, err = c.Number("SELECT count(*) FROM messages WHERE id > (SELECT coalesce(max(position), 0) FROM outputs WHERE name = ?)", name)
		return err
	})
	return n, err
}

var errStuck = errors.New("the store does not keep what was delivered, so it is delivered again later")

// release ends the claim of an output, which has delivered the messages up to a position. The error
// is errStuck if the stored position is not at least that: the same message would follow for ever.
func (s *Store) release(ctx context.Context, name string, position int64) error {
	const end = `UPDATE outputs SET claimed = 0, position = max(position, ?1) WHERE name = ?2
		RETURNING typeof(position) = 'integer' AND position >= ?1`
	kept := int64(1) // an output that is missing is added again by deliver
	err := s.transact(ctx, func(c *sqlitefile.Conn) error {
		_, err := c.Row(end, []driver.Value{position, name}, &kept)
		return err
	})
	if err == nil && kept == 0 {
		err = errStuck
	}
	return err
}

// mustHave returns an error if there is no message since a time: the changes that a run has
// reported since then are lost.
func (s *Store) mustHave(ctx context.Context, changes int, since time.Time) error {
	return s.db.Read(ctx, func(c *sqlitefile.Conn) error {
		n, err := c.Number("SELECT count(*) FROM messages WHERE at >= ?", since.UnixMilli())
		if err == nil && n == 0 {
			err = fmt.Errorf("%s reported, but nothing is delivered, because the store has lost the messages",
				term.Count(changes, "change is", "changes are"))
		}
		return err
	})
}

// Latest returns the latest messages, the newest first.
func (s *Store) Latest(ctx context.Context, most int) (list []wire.WatchMessage, err error) {
	stored, err := s.readMessages(ctx, "SELECT id, message, sum FROM messages ORDER BY id DESC LIMIT ?", int64(most))
	for _, m := range stored {
		if m.message != nil {
			list = append(list, *m.message)
		}
	}
	return list, err
}

// prune deletes messages that are older than keepMessages, with their events, but not the
// latest ones, which outputs might not have delivered if the clock is wrong.
func (s *Store) prune(ctx context.Context, now time.Time) error {
	before := now.Add(-keepMessages).UnixMilli()
	return s.transact(ctx, func(c *sqlitefile.Conn) error {
		last, err := c.Number("SELECT max(id) FROM messages")
		if err != nil {
			return err
		}
		if err := execute(c, "DELETE FROM events WHERE message > 0 AND message <= ? AND at < ?", last-keepLatest, before); err != nil {
			return err
		}
		return execute(c, "DELETE FROM messages WHERE id <= ? AND at < ?", last-keepLatest, before)
	})
}

// uuid returns the UUID of a text, of version 8 (RFC 9562).
func uuid(text string) string {
	b := sha256.Sum256([]byte(text))
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
