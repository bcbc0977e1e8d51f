package faulttext

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ofFormat returns the text of an error of a text or a file in the wrong form, "" for other errors.
func ofFormat(err error) string {
	switch e := err.(type) {
	case *json.SyntaxError:
		if e.Error() == "unexpected end of JSON input" {
			return "the JSON ends too early"
		}
		return fmt.Sprintf("the JSON is not valid at byte %d", e.Offset)
	case *json.UnmarshalTypeError:
		kind, _, _ := strings.Cut(e.Value, " ") // "number 1.5" is about an integer
		if e.Field == "" {
			return "the JSON has " + kinds[kind] + " in the wrong place"
		}
		return fmt.Sprintf("the JSON has %s as %q", kinds[kind], e.Field)
	case base64.CorruptInputError:
		return fmt.Sprintf("the base64 is not valid at byte %d", int64(e)+1)
	case *strconv.NumError:
		if errors.Is(e, strconv.ErrRange) {
			return fmt.Sprintf("%q is out of range", e.Num)
		}
		return fmt.Sprintf("%q is not a number", e.Num)
	case *time.ParseError:
		return fmt.Sprintf("%q is not a time", e.Value)
	}
	for _, parse := range []string{"ParseAddr(", "netip.ParsePrefix("} {
		if text, ok := strings.CutPrefix(err.Error(), parse); ok {
			if what, err := strconv.QuotedPrefix(text); err == nil {
				return what + " is not an IP address"
			}
		}
	}
	return ""
}

// kinds are names for the kinds of JSON values in the errors of encoding/json.
var kinds = map[string]string{
	"object": "an object", "array": "a list", "string": "a text", "number": "a number that does not fit", "bool": "true or false",
}
