package lint

import (
	"fmt"
	"slices"
	"strings"
)

var severityNames = []string{Off: "off", Info: "info", Warning: "warning", Error: "error"}

// String returns the name in lower case, such as "warning". For unknown values it
// returns "off".
func (s Severity) String() string {
	if int(s) >= len(severityNames) {
		s = Off
	}
	return severityNames[s]
}

// MarshalText returns the severity's name. It never fails.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText sets s to the severity with that name, ignoring case. For an
// unknown name it returns an error that lists the known ones, and leaves s
// unchanged.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.IndexFunc(severityNames, func(name string) bool { return strings.EqualFold(name, string(text)) })
	if i < 0 {
		return fmt.Errorf("unknown severity %q: want off, info, warning or error", text)
	}
	*s = Severity(i)
	return nil
}
