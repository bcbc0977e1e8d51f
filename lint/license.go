package lint

var licenseEntries = []Entry{
	{
		Code: "RX515", Name: "license-not-absolute", Severity: Warning,
		Title: "The value of a License line is not an absolute URL.",
		Why:   "RSL 1.0 asks for a complete URL, scheme and host included, of an RSL document; it may be on any host, and it is for the whole file.",
		Bad:   "License: /license.xml\n\nUser-agent: *\nDisallow: /search\n",
		Good:  "License: https://example.com/license.xml\n\nUser-agent: *\nDisallow: /search\n",
	},
}

// inspectLicense looks at a License line, which names an RSL document. Whether
// there is one at that address only who fetches it can tell.
func (x *extensions) inspectLicense(l *line) {
	if isAbsolute(l.value()) {
		return
	}
	if len(l.value()) == 0 {
		f := x.findKey("RX515", l, "the license has no address: RSL 1.0 asks for an absolute URL")
		f.For = []string{"RSL 1.0"}
		return
	}
	f := x.findValue("RX515", l, "%s is not an absolute URL, which RSL 1.0 asks for", quote(l.value()))
	f.For = []string{"RSL 1.0"}
	if absolute, ok := resolve(x.config.URL, string(l.value())); ok {
		f.Fix = &Fix{Title: "write the absolute URL", Edits: l.replaceValue(absolute), Meaning: true}
	}
}
