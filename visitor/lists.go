package visitor

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kosterhq/robotstxt/internal/regular"
)

const (
	maxListBytes   = 5 << 20
	maxListEntries = 100_000
	maxIndexBytes  = 256 << 20
	maxBadLines    = 10 // of the index that are named
	minBits4       = 8  // of the prefixes in a list
	minBits6       = 19

	listReach  = 30 * 24 * time.Hour // how far a list can be from the time of a request
	lateReach  = 48 * time.Hour      // after which operators have updated their lists
	closeReach = 24 * time.Hour
	sideReach  = 7 * 24 * time.Hour // how far lists on both sides can be to show who had an address in between
	jitter     = time.Hour          // of the program that fetches the lists every day
	indexName  = "index.jsonl"
)

// Lists are the lists of addresses that operators have published, with the times at which they
// were read. They are in a folder: each list as it came, and index.jsonl with an object for each reading:
// url, date, etag and file. They are safe for concurrent use.
type Lists struct {
	dir string

	mu      sync.Mutex
	read    map[string][]reading // by URL, in the order of their dates
	ranges  map[string]*ranges   // by file
	same    map[[sha256.Size]byte]*ranges
	trouble []error
}

// reading is a list at a time: a line of the index.
type reading struct {
	URL  string    `json:"url"`
	Date time.Time `json:"date"`
	ETag string    `json:"etag,omitempty"`
	File string    `json:"file"`
}

// ranges are the addresses in a list, in order and without overlap.
type ranges []struct{ from, to netip.Addr }

// OpenLists returns the lists in a folder. If the folder has no index, there are no lists. A line of the
// index that records no list is omitted, and the lists themselves are read when they are needed, see Err.
func OpenLists(dir string) (*Lists, error) {
	l := &Lists{dir: dir, read: map[string][]reading{}, ranges: map[string]*ranges{},
		same: map[[sha256.Size]byte]*ranges{}}
	f, err := regular.Open(filepath.Join(dir, indexName))
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	bad := 0
	lines := bufio.NewScanner(io.LimitReader(f, maxIndexBytes))
	for n := 1; lines.Scan(); n++ {
		var r reading
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil || r.URL == "" || r.Date.IsZero() ||
			!filepath.IsLocal(r.File) {
			if bad++; bad <= maxBadLines {
				l.trouble = append(l.trouble, fmt.Errorf("%s:%d: the line does not record a list", f.Name(), n))
			}
			continue
		}
		l.read[r.URL] = append(l.read[r.URL], r)
	}
	if more := bad - maxBadLines; more > 0 {
		l.trouble = append(l.trouble, fmt.Errorf("%s: lines that do not record a list: %d more", f.Name(), more))
	}
	for _, all := range l.read {
		slices.SortStableFunc(all, func(a, b reading) int { return a.Date.Compare(b.Date) })
	}
	return l, lines.Err()
}

// Dates returns when each list was read last.
func (l *Lists) Dates() map[string]time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	dates := map[string]time.Time{}
	for url, all := range l.read {
		dates[url] = all[len(all)-1].Date
	}
	return dates
}

// Readings returns when a list was read, in order.
func (l *Lists) Readings(url string) (dates []time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.read[url] {
		dates = append(dates, r.Date)
	}
	return dates
}

// Err returns which lines of the index record no list, and why needed lists could not be read. Such lists
// count as absent.
func (l *Lists) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.trouble...)
}

// listing is what lists say about an address at a time.
type listing struct {
	found    bool // a list has it
	near     bool // as Identity.Near
	moved    bool // not found: the list before has it, but the lists after do not
	any      bool // a list near the time has it, even if it has moved
	complete bool // no list has it, and each was read before and after
	url      string
	date     time.Time
}

func (l *Lists) find(urls []string, addr netip.Addr, t time.Time) listing {
	l.mu.Lock()
	defer l.mu.Unlock()
	result := listing{complete: len(urls) > 0}
	for _, url := range urls {
		one := l.findIn(url, addr, t)
		if one.found && (!result.found || one.near && !result.near) {
			result.found, result.near, result.url, result.date = true, one.near, one.url, one.date
		}
		if result.url == "" {
			result.url, result.date = one.url, one.date
		}
		result.moved = result.moved || one.moved
		result.any = result.any || one.any
		result.complete = result.complete && one.complete
	}
	result.moved = result.moved && !result.found
	return result
}

// findIn is find for one list. The last reading before the time decides, and after it those of 48 hours, or
// else the first one.
func (l *Lists) findIn(url string, addr netip.Addr, t time.Time) (result listing) {
	all := l.read[url]
	after, _ := slices.BinarySearchFunc(all, t, func(r reading, t time.Time) int {
		return cmp.Or(r.Date.Compare(t), -1)
	})
	var later *ranges // the latest one so far
	var isBefore, isAfter bool
	if after > 0 {
		r := all[after-1]
		if away := t.Sub(r.Date); away <= listReach {
			before := l.load(r.File)
			if before != nil {
				result.url, result.date = url, r.Date
				result.any = before.contain(addr)
				result.found, result.near = result.any, result.any && away <= sideReach
				isBefore = away <= closeReach+jitter
			}
		}
	}
	for _, r := range all[after:] {
		away := r.Date.Sub(t)
		if away > listReach || away > lateReach+jitter && later != nil {
			break
		}
		addresses := l.load(r.File)
		if addresses == nil {
			continue
		}
		isFirst := later == nil
		isAfter = isAfter || away >= closeReach-jitter && away <= lateReach+jitter
		if addresses != later && (isFirst || away <= lateReach) && addresses.contain(addr) {
			isNear := away <= lateReach || result.near && away <= sideReach
			return listing{found: true, near: isNear, any: true, url: url, date: r.Date}
		}
		later = addresses
		if result.url == "" {
			result.url, result.date = url, r.Date
		}
	}
	if later != nil {
		result.moved = result.found
		result.found = false
	}
	result.near = false // nothing after the time confirms it
	result.complete = isBefore && isAfter && !result.any
	return result
}

// load returns the addresses in a file, nil if it cannot be read.
func (l *Lists) load(file string) *ranges {
	if addresses, ok := l.ranges[file]; ok {
		return addresses
	}
	addresses, err := l.open(file)
	if err != nil {
		l.trouble = append(l.trouble, fmt.Errorf("the list %s: %w", filepath.Join(l.dir, file), err))
	}
	l.ranges[file] = addresses
	return addresses
}

func (l *Lists) open(file string) (*ranges, error) {
	text, err := regular.Read(filepath.Join(l.dir, file), maxListBytes)
	if err != nil {
		return nil, err
	}
	addresses, err := parseList(text)
	if err != nil {
		return nil, err
	}
	// Most readings differ in their date only.
	h := sha256.New()
	for _, r := range addresses {
		fmt.Fprintln(h, r.from, r.to)
	}
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	if known := l.same[sum]; known != nil {
		return known, nil
	}
	l.same[sum] = &addresses
	return &addresses, nil
}

type prefixList struct {
	Prefixes []struct {
		V4  string `json:"ipv4Prefix"`
		V6  string `json:"ipv6Prefix"`
		Any string `json:"ip_prefix"`
	} `json:"prefixes"`
}

// listInPage returns the list that a web page shows: Amazon publishes its lists as text of a page. The
// page must have exactly one JSON object with an array of prefixes.
func listInPage(page []byte) (list []byte, err error) {
	text := []byte(html.UnescapeString(string(page)))
	key := []byte(`"prefixes"`)
	tries := 100 // bounds the time for a hostile page
	for rest := 0; tries > 0; {
		at := bytes.Index(text[rest:], key)
		if at < 0 {
			break
		}
		at += rest
		rest = at + len(key)
		for begin := at; tries > 0; tries-- {
			begin = bytes.LastIndexByte(text[:begin], '{')
			if begin < 0 {
				break
			}
			if end := objectEnd(text, begin); end > at {
				if list != nil {
					return nil, errors.New("it is a web page with several lists of addresses")
				}
				list, rest = text[begin:end], end
				break
			}
		}
	}
	if list == nil {
		return nil, errors.New("it is a web page, not a list of addresses")
	}
	return list, nil
}

// objectEnd returns the end of the JSON object at an index, 0 if there is none with an array of prefixes.
func objectEnd(text []byte, begin int) int {
	decoder := json.NewDecoder(bytes.NewReader(text[begin:]))
	var object struct {
		Prefixes []json.RawMessage `json:"prefixes"`
	}
	if err := decoder.Decode(&object); err != nil || object.Prefixes == nil {
		return 0
	}
	return begin + int(decoder.InputOffset())
}

// parseList reads a list of addresses. A list that cannot be right is an error as a whole.
func parseList(text []byte) (ranges, error) {
	if len(text) > maxListBytes {
		return nil, fmt.Errorf("it is larger than %d bytes", maxListBytes)
	}
	if begin := bytes.TrimSpace(text); len(begin) > 0 && begin[0] == '<' {
		var err error
		text, err = listInPage(text)
		if err != nil {
			return nil, err
		}
	}
	var list prefixList
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("it is not a list of addresses in JSON: %w", err)
	}
	if len(list.Prefixes) == 0 || len(list.Prefixes) > maxListEntries {
		return nil, fmt.Errorf("it has %d prefixes, but must have from 1 to %d", len(list.Prefixes), maxListEntries)
	}
	var all ranges
	for _, entry := range list.Prefixes {
		for _, value := range []string{entry.V4, entry.V6, entry.Any} {
			if value == "" {
				continue
			}
			p, err := prefixOf(value)
			if err != nil {
				return nil, err
			}
			all = append(all, struct{ from, to netip.Addr }{p.Addr(), lastOf(p)})
		}
	}
	if len(all) == 0 {
		return nil, errors.New("its prefixes have neither ipv4Prefix, ipv6Prefix nor ip_prefix")
	}
	slices.SortFunc(all, func(a, b struct{ from, to netip.Addr }) int { return a.from.Compare(b.from) })
	merged := all[:1]
	for _, r := range all[1:] {
		if last := &merged[len(merged)-1]; r.from.Compare(last.to) > 0 {
			merged = append(merged, r)
		} else if r.to.Compare(last.to) > 0 {
			last.to = r.to
		}
	}
	return merged, nil
}

func prefixOf(text string) (netip.Prefix, error) {
	p, err := netip.ParsePrefix(text)
	if !strings.Contains(text, "/") {
		var addr netip.Addr
		addr, err = netip.ParseAddr(text)
		if err == nil {
			p = netip.PrefixFrom(addr, addr.BitLen())
		}
	}
	if err != nil {
		return p, fmt.Errorf("the entry %.60q is not a prefix", text)
	}
	least := minBits4
	if p.Addr().Is6() {
		least = minBits6
	}
	switch {
	case p.Bits() < least:
		return p, fmt.Errorf("the entry %s is shorter than /%d", p, least)
	case p.Addr().Is4In6() || !IsGlobal(p.Masked().Addr()) || !IsGlobal(lastOf(p)):
		return p, fmt.Errorf("the entry %s contains addresses that are not global", p)
	}
	return p.Masked(), nil
}

func lastOf(p netip.Prefix) netip.Addr {
	bytes := p.Masked().Addr().AsSlice()
	for bit := p.Bits(); bit < 8*len(bytes); bit++ {
		bytes[bit/8] |= 1 << (7 - bit%8)
	}
	addr, _ := netip.AddrFromSlice(bytes)
	return addr
}

func (r ranges) contain(addr netip.Addr) bool {
	i, _ := slices.BinarySearchFunc(r, addr, func(e struct{ from, to netip.Addr }, addr netip.Addr) int {
		return cmp.Or(e.from.Compare(addr), -1) // the first that begins after it
	})
	return i > 0 && addr.Compare(r[i-1].to) <= 0
}
