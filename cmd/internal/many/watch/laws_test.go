package watch_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
	"github.com/kosterhq/robotstxt/cmd/internal/many/watch"
)

// life is a random life of a site: what each fetch finds, and the facts that must be told.
type life struct {
	script  string
	answers []simFile // status 503 is a fault
	every   int       // minutes
	facts   []fact
}

// fact is what events must have told until an answer.
type fact struct {
	file *simFile       // that the site serves, and all of it, or
	kind wire.WatchKind // a change that happens from an answer on
	from int
	to   int
}

// randomLife has periods in each of which a site has a steady file with its own values, with a nonce in some of
// them, and answers that are odd, faults or from another server.
func randomLife(random *rand.Rand) (l life) {
	l.every = []int{15, 30, 60, 180}[random.IntN(4)]
	value := 0
	fresh := func() string { value++; return fmt.Sprintf("v%dv", value) }
	f := ordinary
	f.rules, f.sitemap, f.license = "/"+fresh(), "https://a.example/"+fresh(), "https://a.example/"+fresh()
	nonces := []string{"", "", "rules", "uses", "sitemaps", "lines", "paths", "agents", "comments"}
	f.nonceIn = nonces[random.IntN(len(nonces))]
	tick := 0
	serve := func(file simFile, n int) {
		for range n {
			tick++
			file.nonce = tick
			l.answers = append(l.answers, file)
		}
	}
	serve(f, 1+random.IntN(12))
	for range 3 + random.IntN(6) {
		steady := 2 + 26*60/l.every
		switch kind := random.IntN(11); kind {
		case 0, 9: // a deployment that lasts, or one with which a nonce begins or ends
			if kind == 9 {
				f.nonceIn = nonces[random.IntN(len(nonces))]
			}
			for _, change := range []func(){
				func() { f.rules = "/" + fresh() },
				func() { f.sitemap = "https://a.example/" + fresh() },
				func() { f.delay = fmt.Sprint(10 + tick) },
				func() { f.license = "https://a.example/" + fresh() },
				func() { f.rules = "" },
				func() { f.sitemap = "" },
			} {
				if random.IntN(4) == 0 {
					change()
				}
			}
			l.script += string("DB"[kind/9])
			l.lasts(f, steady)
		case 1: // it is rolled back after one fetch, and deployed again
			g := f
			g.rules = "/" + fresh()
			g.sitemap = "https://a.example/" + fresh()
			serve(g, 1)
			serve(f, 1+random.IntN(3))
			f = g
			l.script += "R"
			l.lasts(f, steady)
		case 2: // closed for some hours
			g := f
			g.rules = "/"
			l.script += "C"
			l.happens(closes, len(l.answers), 3+2*15/l.every)
			serve(g, 3+random.IntN(4*60/l.every+1))
			l.lasts(f, steady)
		case 3: // one odd answer among others, right after a change
			g := f
			f.rules = "/" + fresh()
			serve(f, random.IntN(3))
			g.rules, g.sitemap = "/odd", "https://a.example/odd"
			if random.IntN(2) == 0 {
				g = simFile{html: true}
			}
			serve(g, 1)
			l.script += "O"
			l.lasts(f, steady)
		case 4: // two servers
			g := f
			g.rules = "/" + fresh()
			for range 4 + random.IntN(30) {
				serve([]simFile{f, g}[random.IntN(2)], 1)
			}
			l.script += "V"
			l.lasts(f, steady)
		case 5: // three parts, each in its own time
			for i := range 12 {
				g := f
				g.sitemap += fmt.Sprint(i % 2)
				g.delay += fmt.Sprint(i % 3)
				g.license += fmt.Sprint(i / 2 % 2)
				serve(g, 1)
			}
			l.script += "P"
			l.lasts(f, steady)
		case 6, 10: // an outage, or one with whose end a nonce begins or ends
			g := f
			g.status = 503
			n := 1 + random.IntN(3*60/l.every+1)
			if (n-1)*l.every >= 60 {
				l.happens(wire.WatchServerError, len(l.answers), n)
				l.happens(wire.WatchRecovered, len(l.answers)+n, 3)
			}
			serve(g, n)
			l.script += string("FE"[kind/10])
			if kind == 10 {
				f.nonceIn = nonces[random.IntN(len(nonces))]
			}
			l.lasts(f, steady)
		case 7: // a nonce begins or ends
			f.nonceIn = nonces[random.IntN(len(nonces))]
			l.script += "N"
			l.lasts(f, steady)
		case 8: // values that each last for three fetches
			for range 6 + random.IntN(12) {
				g := f
				g.rules = "/" + fresh()
				serve(g, 3)
			}
			l.script += "S"
			l.lasts(f, steady)
		}
		serve(f, steady)
	}
	return l
}

// lasts notes that a site serves a file from the next answer on, for a number of answers.
func (l *life) lasts(f simFile, n int) {
	l.facts = append(l.facts, fact{file: &f, to: len(l.answers) + n})
}

// values are the values of a file about which there are facts.
func (f simFile) values() []string { return []string{f.rules, f.sitemap, f.license} }

// happens notes a change that an event must have within some answers.
func (l *life) happens(kind wire.WatchKind, from, within int) {
	l.facts = append(l.facts, fact{kind: kind, from: from, to: from + within})
}

// TestLaws: whatever a site's life is, nothing is told that one answer only had, each value that lasts is told, and
// none is told twice.
func TestLaws(t *testing.T) {
	t.Parallel()
	lives := 6
	if os.Getenv("ROBOTSTXT_LONG") != "" {
		lives = 2000
	}
	facts, events := 0, 0
	for seed := range lives {
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		l := randomLife(random)
		all := l.told(t)
		facts += len(l.facts)
		events += len(all)
		if broken := l.broken(all); len(broken) > 0 {
			t.Errorf("life %d (%s, every %d minutes, %d answers): %s", seed, l.script, l.every, len(l.answers), strings.Join(broken, "; "))
			for _, e := range all {
				t.Logf("  %d %q", l.index(e.At), texts(e.Changes))
			}
		}
	}
	t.Logf("%d lives, %d lasting values, %d events", lives, facts, events)
}

func (l *life) index(at time.Time) int { return int(at.Sub(start).Minutes()) / l.every }

// told returns the events of a life.
func (l *life) told(t *testing.T) (all []wire.WatchEvent) {
	var states watch.States
	r := &watch.Reader{}
	for i := range l.answers {
		o := watch.Observation{At: start.Add(time.Duration(i*l.every) * time.Minute)}
		if l.answers[i].status != 0 {
			o.Served = watch.Served{Fault: wire.FaultStatus, FaultStatus: 503, Closed: wire.OutcomeDisallowAll}
		} else {
			o.Served = *served(l.answers[i].String())
		}
		next, _, event, err := r.Judge(t.Context(), states, o, watch.DefaultConfirm)
		if err != nil {
			t.Fatal(err)
		}
		if event != nil {
			all = append(all, *event)
		}
		states = next
	}
	return all
}

// broken returns the laws that events break. A reader of the events believes what they say.
func (l *life) broken(all []wire.WatchEvent) (broken []string) {
	counts := make(map[string]int) // the answers with each value
	for i := range l.answers {
		for _, value := range l.answers[i].values() {
			if strings.Contains(value, "v") || strings.HasSuffix(value, "/odd") {
				counts[value]++
			}
		}
	}
	believed := make(map[string]bool)
	isUnsure := make(map[string]bool) // what only the first answer had might be noise
	second := &l.answers[1]
	for _, value := range l.answers[0].values() {
		believed[value] = true
		isUnsure[value] = second.status != 0 || second.html || !slices.Contains(second.values(), value)
	}
	facts := slices.Clone(l.facts)
	check := func(until int) {
		facts = slices.DeleteFunc(facts, func(f fact) bool {
			if f.to > until {
				return false
			}
			if f.kind != "" {
				broken = append(broken, fmt.Sprintf("%s from %d on is not told until %d", f.kind, f.from, f.to))
				return true
			}
			for value := range counts {
				if believed[value] != slices.Contains(f.file.values(), value) && !isUnsure[value] {
					broken = append(broken, fmt.Sprintf("at %d, %q is believed: %v", f.to, value, believed[value]))
				}
			}
			return true
		})
	}
	for _, e := range all {
		at := l.index(e.At)
		check(at - 1)
		for i := range e.Changes {
			c := &e.Changes[i]
			if isOfVariants(&e, c) {
				continue
			}
			if c.Kind == closes && strings.Contains(c.Text, " for bot") {
				broken = append(broken, fmt.Sprintf("at %d, %q has an agent of one answer", at, c.Text))
			}
			old, new, _ := strings.Cut(c.Text, "added ")
			for value, n := range counts {
				isOther := strings.HasPrefix(new, value+"0") || strings.HasPrefix(new, value+"1")
				isNew := strings.Contains(c.Text, "closes "+value+" for any") ||
					strings.HasPrefix(new, value) && !isOther
				isOld := strings.Contains(c.Text, "opens "+value+" for any") || strings.Contains(old+",", "removed "+value+",")
				switch {
				case isNew && n < 2:
					broken = append(broken, fmt.Sprintf("%s was in one answer, and is told at %d", value, at))
				case (isNew && believed[value] || isOld && !believed[value]) && !isUnsure[value]:
					broken = append(broken, fmt.Sprintf("at %d, %q is told twice", at, c.Text))
				}
				if isNew || isOld {
					believed[value] = isNew
					isUnsure[value] = false
				}
			}
		}
		facts = slices.DeleteFunc(facts, func(f fact) bool {
			return f.kind != "" && f.from <= at && slices.ContainsFunc(e.Changes, func(c wire.WatchChange) bool {
				return c.Kind == f.kind && (c.Kind != closes || c.Gravity == wire.GravityCritical)
			})
		})
	}
	check(len(l.answers))
	return broken
}

// isOfVariants reports whether a change is what an event about variants of a part says, or that a part changes at every
// fetch.
func isOfVariants(e *wire.WatchEvent, c *wire.WatchChange) bool {
	if strings.Contains(c.Text, "changes at every fetch") {
		return true
	}
	verdicts := []string{"closes ", "opens "}
	words := map[wire.WatchKind][]string{
		sitemaps: {"Sitemap"}, uses: {"License"}, others: {"Crawl-delay"}, closes: verdicts, opens: verdicts,
	}
	return slices.ContainsFunc(e.Changes, func(s wire.WatchChange) bool {
		isAbout := s.Kind == c.Kind ||
			slices.ContainsFunc(words[c.Kind], func(word string) bool { return strings.Contains(s.Text, word) })
		return isAbout && strings.HasPrefix(s.Text, "serves several variants")
	})
}
