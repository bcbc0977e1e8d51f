package audit

import (
	"context"
	"errors"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/answer"
	"github.com/kosterhq/robotstxt/semdiff"
)

// errEnough stops the reading of a table.
var errEnough = errors.New("enough")

// The reasons why a comparison has no witnesses.
const (
	NoOldBodies = "the table of bodies of the earlier audit was not given"
	NoNewBodies = "this audit was made without --bodies"
)

// witnesses adds to the example hosts a path with another verdict than before.
func (c *comparer) witnesses(ctx context.Context) error {
	switch {
	case c.config.OldBodies == "":
		c.NoWitnesses = NoOldBodies
		return nil
	case !c.parts.config.Bodies:
		c.NoWitnesses = NoNewBodies
		return nil
	}
	var bodies [2]map[string][]byte
	for side := range bodies {
		var err error
		if bodies[side], err = c.bodies(side); err != nil {
			return err
		}
	}
	crawlers := map[string]answer.Crawler{}
	for _, crawler := range c.config.Questions.Crawlers {
		crawlers[crawler.Name] = crawler
	}
	for _, list := range [][]Moved{c.Opened, c.Closed} {
		for _, moved := range list {
			before, after := bodies[0][moved.Host], bodies[1][moved.Host]
			if before == nil || after == nil {
				continue // one of the sites has no file
			}
			for i := range moved.Moves {
				crawler := crawlers[moved.Moves[i].Crawler]
				d := crawler.In(c.config.Questions.Dialect).Dialect
				if err := addWitness(ctx, &moved.Moves[i], crawler, d.Parse(before), d.Parse(after)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// addWitness searches for a path that the change opens or closes.
func addWitness(ctx context.Context, move *Move, crawler answer.Crawler, old, new *robotstxt.Robots) error {
	report, err := semdiff.Compare(ctx, old, new, semdiff.Config{
		Crawlers: []semdiff.Crawler{{Tokens: crawler.Tokens, NamedOnly: crawler.NamedOnly}}, Only: true,
	})
	if err != nil {
		return err
	}
	opens := strictness(move.After) < strictness(move.Before)
	for _, row := range report.Rows {
		for _, change := range row.Changes {
			if change.Opens == opens {
				move.Witness = change.Witness
				return nil
			}
		}
	}
	return nil
}

// bodies returns the files of the example hosts.
func (c *comparer) bodies(side int) (map[string][]byte, error) {
	digests := map[string]string{} // by host
	latest := map[string]Millis{}
	for _, list := range [][]Moved{c.Opened, c.Closed} {
		for _, moved := range list {
			digests[moved.Host] = ""
		}
	}
	err := c.read(side, func(row *Crawler) error {
		if _, ok := digests[row.Host]; !ok {
			return nil
		}
		if _, ok := knownAccessIn(row); !ok || fetchedAt(row) < latest[row.Host] {
			return nil
		}
		latest[row.Host], digests[row.Host] = fetchedAt(row), ""
		if row.Digest != nil {
			digests[row.Host] = *row.Digest
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	hosts := map[string][]string{} // by digest
	for host, digest := range digests {
		if digest != "" {
			hosts[digest] = append(hosts[digest], host)
		}
	}
	found := map[string][]byte{}
	keep := func(body *Body) error {
		for _, host := range hosts[body.Digest] {
			found[host] = append([]byte{}, body.Body...)
		}
		return nil
	}
	if side == 0 {
		return found, ReadTable(c.config.OldBodies, keep)
	}
	return found, readParts(c.parts, bodyRows, keep)
}
