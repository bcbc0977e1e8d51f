package origin

import "strings"

// WithoutPasswords returns a text, such as a message, with *** in place of the user names and passwords of URLs in it.
// It finds them also if an authority has the wrong slashes or no scheme, as in me:password@example.com, if a password
// has a slash, a question mark or a number sign that is not encoded, unless all before it can be a port, and, in double
// quotes, if they have blanks or quotes. Addresses of mail, as in mailto: URLs and in the names of crawlers, stay.
func WithoutPasswords(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	var b strings.Builder
	closing := -1 // the end of the quotation that a word is in
	for at := 0; at < len(text); {
		rest := text[at:]
		end := strings.IndexAny(rest, "\"<> \t\r\n")
		if end >= 0 && closing > at+end && closing < len(text) && isSlash(rest[strings.IndexAny(rest, ` /\"`)]) {
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
		if text[at] == '"' && closing <= at {
			if closing == at {
				closing = -1
			} else {
				closing = quotationEnd(text, at+1)
			}
		}
		b.WriteByte(text[at])
		at++
	}
	return b.String()
}

// quotationEnd returns where the quotation that begins at from ends, as %q writes it, or the length of the text
// if it does not.
func quotationEnd(text string, from int) int {
	for ; from < len(text) && text[from] != '"'; from++ {
		if text[from] == '\\' {
			from++
		}
	}
	return min(from, len(text))
}

// appendHidden appends a word of a text, which can be or contain URLs.
func appendHidden(b *strings.Builder, word string) {
	last := strings.LastIndexByte(word, '@') + 1
	word, after := word[:last], word[last:]
	for word != "" {
		if from, to := userinfo(word); to >= 0 && !isMail(word[:from], word[from:to]) {
			b.WriteString(word[:from] + hidden(word[from:to]))
			word = word[to:]
		}
		next := 1 // a URL in a path, from its colon
		for next+1 < len(word) && (word[next] != ':' || !isSlash(word[next+1])) {
			next++
		}
		b.WriteString(word[:min(next, len(word))])
		word = word[min(next, len(word)):]
	}
	b.WriteString(after)
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

// hidden returns what is written in place of a user name and password. If no browser accepts them, because a
// delimiter in them ends the authority, it accepts that no more.
func hidden(userinfo string) string {
	if strings.ContainsAny(userinfo, delimiters) {
		return "***:***/***"
	}
	return "***"
}

// delimiters end an authority.
const delimiters = `/\?#`

// userinfo returns where the user name and password of a text are, which need not be a
// valid URL: from its authority up to the @. to is negative if they are empty.
func userinfo(s string) (from, to int) {
	for from < len(s) && s[from] <= ' ' {
		from++
	}
	hasHost := true // as far as is known: in me:password@example.com, the text after the colon is not a host
	if i := strings.IndexAny(s[from:], ":"+delimiters); i >= 0 && s[from+i] == ':' {
		hasHost = i <= len("https") && knownScheme([]byte(strings.ToLower(s[from:from+i]))) != ""
		from += i + 1
	} else if i == 0 && !isSlash(s[min(from+1, len(s)-1)]) {
		return 0, -1 // a path
	}
	for from < len(s) && (isSlash(s[from]) || isTabOrNewline(s[from])) {
		hasHost = true
		from++
	}
	end := from + authorityEnd(s[from:])
	to = from + strings.LastIndexByte(s[from:end], '@')
	isWhole := to+1 < end && endsInPort(s[max(from, to+1):end], hasHost)
	if last := strings.LastIndexByte(s[end:], '@'); last >= 0 && !isWhole {
		to = end + last
	}
	if to <= from { // an empty one needs no replacement
		return 0, -1
	}
	return from, to
}

// endsInPort reports whether the text before a delimiter, a host unless hasHost is false, or the scheme of a second
// URL, has nothing or a port after its colon. Otherwise that is the beginning of a password.
func endsInPort(s string, hasHost bool) bool {
	for _, scheme := range [...]string{"http:", "https:", "ftp:"} {
		if strings.HasSuffix(s, scheme) {
			return true
		}
	}
	digits := s
	if hasHost {
		if i := strings.IndexByte(s, ']'); i >= 0 && s[0] == '[' {
			s = s[i:]
		}
		_, digits, _ = strings.Cut(s, ":")
	}
	_, err := parsePort(tabsAndBreaks.Replace(digits), 1)
	return err == nil
}
