package crawlers

import (
	"strings"

	"github.com/kosterhq/robotstxt/internal/ascii"
)

// Sender returns the product token of the crawler that sends a User-Agent header, without
// its version. The crawler need not be known. If Find knows it, the token is spelt as in
// Crawler.Token, even if the header contains an alias. [RFC 9110 10.1.5]
//
// ok is false if the header names no crawler, for example because a browser sends it or
// because it contains only addresses. Sender reads the first 48 words, and no more than 1 KiB.
//
// Any client can send any header, so the result is a claim, not a proof. Not every token is
// valid in a user-agent line: no line in Google's dialect can name "Foo2Bot".
func Sender(header string) (token string, ok bool) {
	s := sender{words: newWords(header), compatible: none, vehicle: word{row: none}}
	token = s.read()
	return token, token != ""
}

// Declared returns the product token that a program names in its own User-Agent header: the token
// that Sender returns or, if the whole text is one product, this product, even if its name is also a
// browser's, a platform's or an English word, as in "Lynx/2.8.9" and "bot/1.0 (+https://me.example)".
// "Mozilla" does not count, nor does a product whose comment has no address, as in
// "NetSurf/3.10 (Linux)". [RFC 9309 2.2.1] [Koster 3.2.1]
//
// Use it for a text that a program or its operator has set, and Sender for headers in a log, where
// an old browser is not a crawler.
func Declared(userAgent string) (token string, ok bool) {
	token, ok = Sender(userAgent)
	if !ok {
		token, ok = onlyProduct(userAgent)
	}
	return token, ok
}

// onlyProduct returns the name of the product in a text that has only one, with or without comments.
func onlyProduct(text string) (name string, ok bool) {
	words := newWords(text)
	product := word{}
	if !words.next(&product) || product.kind == address || product.depth > 0 ||
		!strings.ContainsFunc(product.name, isLetter) || ascii.EqualFold(product.name, "Mozilla") {
		return "", false
	}
	hasComment, isAddressed := false, false
	for w := (word{}); words.next(&w); {
		switch {
		case w.kind != address && w.depth == 0:
			return "", false
		case w.kind != address:
			hasComment = true
		case w.depth > 0:
			isAddressed = true
		}
	}
	if hasComment && !isAddressed {
		return "", false
	}
	return product.name, true
}

// isLetter reports whether a name can consist of a character alone.
func isLetter(r rune) bool { return r >= 0x80 || octets[r]&letter != 0 }

// sender reads the words of a header in order. The first word that identifies the sender
// wins. If no word does, a less certain word wins.
type sender struct {
	words
	begun      bool // a word was read that is not an address
	skipping   bool // the rest of the part is about another program
	compatible int  // the depth of a "compatible;" that no word has followed, or none

	addressed, unaddressed bool // the comment contains an address, or none

	other   string // the first own name outside comments
	vehicle word   // the first vehicle, or the first that the data have
}

func (s *sender) read() string {
	for w := (word{}); s.next(&w); {
		if w.floor == 0 {
			s.addressed, s.unaddressed = false, false
		}
		if w.floor < s.compatible {
			s.compatible = none
		}
		s.skipping = s.skipping && !w.opens
		switch {
		case w.kind == address:
			s.addressed = true
		case s.skipping:
		case s.isSentBy(&w):
			return w.token()
		default:
			s.keepUncertain(&w)
		}
	}
	if s.other != "" {
		return s.other
	}
	return s.vehicle.token()
}

// isSentBy reports whether a word identifies the sender, whatever follows.
func (s *sender) isSentBy(w *word) bool {
	switch w.kind {
	case known:
		return true
	case vehicle:
		return w.depth == s.compatible
	case own:
		if w.depth == s.compatible || !s.begun {
			return true
		}
		if w.depth == 0 {
			return w.versioned
		}
		return w.versioned && s.findAddressInComment() || w.opens && (isRobot(w.name) || s.isBeforeAddress())
	}
	return false
}

func (s *sender) keepUncertain(w *word) {
	s.begun = true
	if w.depth == s.compatible {
		s.compatible = none
	}
	switch w.kind {
	case introducing:
		if s.isBeforeSemicolon() {
			s.compatible = w.depth
		}
	case comparing:
		s.skipping = true
	case vehicle:
		if s.vehicle.name == "" || s.vehicle.row == none && w.row != none {
			s.vehicle = *w
		}
	case own:
		if w.depth == 0 && s.other == "" {
			s.other = w.name
		}
	}
}

// ahead returns the words after the last one, for a search of addresses.
func (s *sender) ahead() words {
	ahead := s.words
	ahead.onlyAddresses = true
	return ahead
}

// findAddressInComment looks for an address in the comment that contains the last word. It
// keeps the answer for the next words of the comment.
func (s *sender) findAddressInComment() bool {
	ahead := s.ahead()
	for w := (word{}); !s.addressed && !s.unaddressed; {
		if !ahead.next(&w) || w.floor == 0 {
			s.unaddressed = true
		} else if w.kind == address {
			s.addressed = true
		}
	}
	return s.addressed
}

func (s *sender) isBeforeAddress() bool {
	ahead := s.ahead()
	w := word{}
	return ahead.next(&w) && w.kind == address && w.floor > 0
}
