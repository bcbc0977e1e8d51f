package watch

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/term"
	"github.com/kosterhq/robotstxt/cmd/internal/wire"
)

// More sites than mostSingle, or one of fewShare of at least fewWatched, have one message
// with a list.
const (
	mostSingle = 20
	fewWatched = 100
	fewShare   = 20 // 5 %
)

// isMass reports whether the changes of a pass go into one message.
func isMass(changed, watched int) bool {
	return changed > mostSingle || watched >= fewWatched && changed*fewShare >= watched
}

// mostListed is how many events a list has. Further ones are counted.
const mostListed = 1000

// Bundle puts the events without a message into messages: one for each, or one list if
// many of the watched sites have changed since the pass began. It returns how many
// messages it has made.
func (s *Store) Bundle(ctx context.Context, watched int, passBegan, now time.Time) (made int, err error) {
	err = s.transact(ctx, func(tx *sql.Tx) error {
		var open, changed int
		err := tx.QueryRowContext(ctx, "SELECT count(*) FROM events WHERE message = 0").Scan(&open)
		if err != nil || open == 0 {
			return err
		}
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM events WHERE message > 0 AND at >= ?", passBegan.UnixMilli()).Scan(&changed); err != nil {
			return err
		}
		isList := open > 1 && isMass(open+changed, watched)
		few := -1 // all of them
		if isList {
			few = mostListed
		}
		list, err := readEvents(ctx, tx, "SELECT id, event FROM events WHERE message = 0 ORDER BY gravity, id LIMIT ?", few)
		if err != nil {
			return err
		}
		if isList {
			made = 1
			return s.addMessage(ctx, tx, list, open, watched, now)
		}
		for i := range list {
			if err := s.addMessage(ctx, tx, list[i:i+1], 1, watched, now); err != nil {
				return err
			}
		}
		made = len(list)
		return nil
	})
	return made, err
}

// storedEvent is an event with its row.
type storedEvent struct {
	id int64
	wire.WatchEvent
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func readEvents(ctx context.Context, q querier, query string, args ...any) (list []storedEvent, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var e storedEvent
		var text []byte
		if err := rows.Scan(&e.id, &text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &e.WatchEvent); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

// addMessage stores the message of some events: one, or a list that has those of all sites
// or the first ones.
func (s *Store) addMessage(ctx context.Context, tx *sql.Tx, list []storedEvent, sites, watched int, now time.Time) error {
	m := wire.WatchMessage{
		ID: uuid(fmt.Sprintf("message %s %d", list[0].ID, sites)), At: now.UTC().Truncate(time.Millisecond), Gravity: list[0].Gravity,
		Sites: sites, Watched: watched, Events: []wire.WatchEvent{}, Omitted: sites - len(list),
	}
	for i := range list {
		e := list[i].WatchEvent
		for j := range e.Changes {
			if sites > 1 {
				e.Changes[j].Paths = []wire.PathChange{} // so that the list stays short
			}
		}
		m.Events = append(m.Events, e)
	}
	m.Text = messageText(&m)
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	added, err := tx.ExecContext(ctx, "INSERT INTO messages (at, message) VALUES (?, ?)", now.UnixMilli(), text)
	if err != nil {
		return err
	}
	id, err := added.LastInsertId()
	if err != nil {
		return err
	}
	if sites > 1 {
		_, err = tx.ExecContext(ctx, "UPDATE events SET message = ? WHERE message = 0", id)
	} else {
		_, err = tx.ExecContext(ctx, "UPDATE events SET message = ? WHERE id = ?", id, list[0].id)
	}
	return err
}

// mostInText is how many sites the text of a list names.
const mostInText = 20

// messageText returns a message in a few lines.
func messageText(m *wire.WatchMessage) string {
	if len(m.Events) == 1 && m.Sites == 1 {
		e := &m.Events[0]
		lines := []string{e.Site + ": " + headline(e)}
		for i := 1; i < len(e.Changes); i++ {
			lines = append(lines, "- "+e.Changes[i].Text)
		}
		return strings.Join(lines, "\n")
	}
	lines := []string{fmt.Sprintf("robots.txt has changed on %s of %s watched", term.Count(m.Sites, "site", "sites"), term.Thousands(m.Watched))}
	for i := range m.Events {
		if i == mostInText {
			lines = append(lines, fmt.Sprintf("- and %s more", term.Thousands(m.Sites-i)))
			break
		}
		lines = append(lines, "- "+m.Events[i].Site+": "+headline(&m.Events[i]))
	}
	return strings.Join(lines, "\n")
}

// headline returns the gravest change in words.
func headline(e *wire.WatchEvent) string {
	if len(e.Changes) == 0 {
		return ""
	}
	return e.Changes[0].Text
}

// errClaimed means that another process delivers to an output.
var errClaimed = errors.New("another process delivers")

// position returns the last message that an output has delivered, and claims the output for
// this process.
func (s *Store) position(ctx context.Context, name string, now time.Time) (position int64, err error) {
	err = s.transact(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, "UPDATE outputs SET claimed = ?1 WHERE name = ?2 AND NOT (claimed > ?3 AND claimed <= ?1) RETURNING position",
			now.Add(lease).UnixMilli(), name, now.UnixMilli()).Scan(&position)
		if errors.Is(err, sql.ErrNoRows) {
			return errClaimed
		}
		return err
	})
	return position, err
}

// lease is how long the claim of an output lasts, for each message. If a delivery takes
// longer, another process may deliver the message too.
const lease = 30 * time.Second

// next returns the first message after a position, nil if there is none.
func (s *Store) next(ctx context.Context, position int64) (id int64, m *wire.WatchMessage, err error) {
	var text []byte
	err = s.db.QueryRowContext(ctx, "SELECT id, message FROM messages WHERE id > ? ORDER BY id LIMIT 1", position).Scan(&id, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, nil
	} else if err != nil {
		return 0, nil, err
	}
	m = new(wire.WatchMessage)
	return id, m, json.Unmarshal(text, m)
}

// delivered records that an output has delivered a message.
func (s *Store) delivered(ctx context.Context, name string, position int64) error {
	_, err := s.db.ExecContext(ctx, "UPDATE outputs SET position = max(position, ?) WHERE name = ?", position, name)
	return err
}

// release gives an output back.
func (s *Store) release(ctx context.Context, name string) error {
	_, err := s.db.ExecContext(ctx, "UPDATE outputs SET claimed = 0 WHERE name = ?", name)
	return err
}

// Latest returns the latest messages, the newest first.
func (s *Store) Latest(ctx context.Context, most int) (list []wire.WatchMessage, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT message FROM messages ORDER BY id DESC LIMIT ?", most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text []byte
		var m wire.WatchMessage
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &m); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, rows.Err()
}

// prune deletes messages that are older than keepMessages, with their events.
func (s *Store) prune(ctx context.Context, now time.Time) error {
	before := now.Add(-keepMessages).UnixMilli()
	return s.transact(ctx, func(tx *sql.Tx) error {
		for _, query := range []string{"DELETE FROM events WHERE message > 0 AND at < ?", "DELETE FROM messages WHERE at < ?"} {
			if _, err := tx.ExecContext(ctx, query, before); err != nil {
				return err
			}
		}
		return nil
	})
}
