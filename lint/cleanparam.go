package lint

import "bytes"

var cleanParamEntries = []Entry{
	{
		Code: "RX508", Name: "clean-param-form", Severity: Warning,
		Title:   "The value of a Clean-param line is not parameters joined by & and a path.",
		Why:     "Yandex alone reads Clean-param: parameter names joined by &, then, if wanted, a blank and a path prefix of the letters A-Za-z0-9.-/*_, 500 characters at most. What follows a blank is a path, even if it was meant as another parameter.",
		Bad:     "User-agent: Yandex\nDisallow: /search\nClean-param: sid sort\n",
		Good:    "User-agent: Yandex\nDisallow: /search\nClean-param: sid&sort /shop/\n",
		Example: Config{Profile: Yandex},
	},
}

// cleanParamLimit is how many characters of a Clean-param Yandex reads.
const cleanParamLimit = 500

// inspectCleanParam holds a value to p1[&p2…] [path]. It concerns one operator,
// whatever the profile.
func (x *extensions) inspectCleanParam(l *line) {
	parameters, path, pathed := cutBlank(l.value())
	if f := x.wrongCleanParam(l, parameters, path, pathed); f != nil {
		f.For = []string{"Yandex"}
	}
}

// wrongCleanParam finds the first thing that is wrong, nil if nothing is. Of what
// follows nothing is said: it would be read otherwise once the first is mended.
func (x *extensions) wrongCleanParam(l *line, parameters, path []byte, pathed bool) *Finding {
	const code = "RX508"
	at := l.valueAt() + len(l.value()) - len(path)
	wrong, width := wrongParameter(parameters)
	wrong += l.valueAt()
	switch {
	case len(l.value()) == 0:
		return x.findKey(code, l, "the line names no parameter")
	case len(l.value()) > cleanParamLimit:
		return x.findValue(code, l, "Yandex reads %d characters of a Clean-param, and this one has %d: write several lines", cleanParamLimit, len(l.value()))
	case width > 0 && x.body[wrong] == '&':
		return x.find(code, l, wrong, wrong+width, "a name is missing beside this &")
	case width > 0:
		return x.find(code, l, wrong, wrong+width, "%s is no parameter name: write the names alone, joined by &", quote(x.body[wrong:wrong+width]))
	case !pathed:
		return nil
	case path[0] != '/' && path[0] != '*':
		f := x.find(code, l, at, at+len(path), "Yandex reads %s as a path, because a blank stands in front of it: join parameters by &", quote(path))
		f.Fix = joinParameters(l, parameters, path)
		return f
	case bytes.ContainsAny(path, " \t"):
		return x.find(code, l, at, at+len(path), "%s is more than one path: write a line for each", quote(path))
	case !isCleanParamPath(path):
		return x.find(code, l, at, at+len(path), "the path %s has characters other than A-Za-z0-9.-/*_, which Yandex does not take in a Clean-param", quote(path))
	}
	return nil
}

// wrongParameter returns where the first name stands that cannot be one, and how
// long it is; of an empty name it is the & beside it.
func wrongParameter(parameters []byte) (at, width int) {
	for name := range bytes.SplitSeq(parameters, []byte("&")) {
		switch {
		case len(name) == 0:
			return min(at, len(parameters)-1), 1
		case bytes.ContainsAny(name, "=?,;/"):
			return at, len(name)
		}
		at += len(name) + 1
	}
	return 0, 0
}

// joinParameters is the fix for parameters parted by blanks, with the path that
// may follow them.
func joinParameters(l *line, parameters, path []byte) *Fix {
	joined := bytes.Clone(parameters)
	for len(path) > 0 && path[0] != '/' && path[0] != '*' {
		var name []byte
		name, path, _ = cutBlank(path)
		if name = bytes.Trim(name, "&"); len(name) > 0 {
			joined = append(append(joined, '&'), name...)
		}
	}
	if len(path) > 0 {
		joined = append(append(joined, ' '), path...)
	}
	return &Fix{Title: "join the parameters by &", Edits: l.replaceValue(string(joined)), Meaning: true}
}

// isCleanParamPath reports whether Yandex takes the path: with other letters, or
// coded ones, there is no way to write it.
func isCleanParamPath(path []byte) bool {
	for _, c := range path {
		if !isWord(c) && bytes.IndexByte([]byte(".-/*_"), c) < 0 {
			return false
		}
	}
	return true
}
