package origin

import "strings"

// WithoutPasswords returns a text, such as a message, with *** in place of the user names and passwords of URLs in it.
// It finds them also if an authority has the wrong slashes or no scheme, as in me:password@example.com, and, in double
// quotes, if they have blanks. Addresses of mail, as in mailto: URLs and in the names of crawlers, stay.
func WithoutPasswords(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	var b strings.Builder
	closing := -1 // the end of the quotation that a word is in
	for at := 0; at < len(text); {
		rest := text[at:]
		end := strings.IndexAny(rest, "\"<> \t\r\n")
		if end >= 0 && closing > at+end && isSlash(rest[strings.IndexAny(rest, ` /\"`)]) {
			end = closing - at
		}
		if end < 0 {
			end = len(rest)
		}
		appendHidden(&b, rest[:end])
		at += end
		if at == len(text) {
			break
		}
		switch {
		case at == closing:
			closing = -1
		case text[at] == '"':
			closing = at + 1 + strings.IndexByte(text[at+1:], '"') // at if there is none
		}
		b.WriteByte(text[at])
		at++
	}
	return b.String()
}

// appendHidden appends a word of a text, which can be or contain URLs.
func appendHidden(b *strings.Builder, word string) {
	for word != "" {
		if from, to := userinfo(word); to >= 0 && !isMail(word[:from], word[from:to]) {
			b.WriteString(word[:from] + "***")
			word = word[to:]
		}
		next := 1 // a URL in a path, from its colon
		for next+1 < len(word) && (word[next] != ':' || !isSlash(word[next+1])) {
			next++
		}
		b.WriteString(word[:min(next, len(word))])
		word = word[min(next, len(word)):]
	}
}

// isMail reports whether what looks like a user name is before the @ of a mail address: after mailto:, or without a
// URL, as in bot@example.com, or after one, as in +https://example.com;bot@example.com.
func isMail(before, name string) bool {
	switch {
	case before == "":
		return true
	case strings.Contains(name, ":"):
		return false
	}
	return strings.HasSuffix(strings.ToLower(before), "mailto:") ||
		isSlash(before[len(before)-1]) && strings.ContainsAny(name, ";,")
}

// userinfo returns where the user name and password of a text are, which need not be a
// valid URL: from its authority up to the @. to is negative if they are empty.
func userinfo(s string) (from, to int) {
	for from < len(s) && s[from] <= ' ' {
		from++
	}
	if i := strings.IndexAny(s[from:], `:/\?#`); i >= 0 && s[from+i] == ':' {
		from += i + 1
	} else if i == 0 && !isSlash(s[min(from+1, len(s)-1)]) {
		return 0, -1 // a path
	}
	for from < len(s) && (isSlash(s[from]) || isTabOrNewline(s[from])) {
		from++
	}
	at := strings.LastIndexByte(s[from:from+authorityEnd(s[from:])], '@')
	if at <= 0 { // an empty one needs no replacement
		return 0, -1
	}
	return from, from + at
}
