package wire

// Event is an event during fetches, to count or to log.
type Event struct {
	Event    string  `json:"event"`              // the name of the event in package fetch, such as "fetched"
	Origin   string  `json:"origin"`             // scheme, host and port
	Duration float64 `json:"duration,omitempty"` // the duration of a fetch in seconds
	Bytes    int     `json:"bytes,omitempty"`    // the size of a fetched file
	Error    string  `json:"error,omitempty"`
}

type event Event

// MarshalJSON returns the event with the fields schema and raw.
func (e Event) MarshalJSON() ([]byte, error) { return encode(event(e)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (e *Event) UnmarshalJSON(text []byte) error { return decode(text, (*event)(e)) }
