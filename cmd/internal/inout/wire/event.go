package wire

// Event is an event during fetches, to count or to log.
type Event struct {
	Event    string  `json:"event"`              // as package fetch names its events, "fetched" for instance
	Origin   string  `json:"origin"`             // scheme, host and port
	Duration float64 `json:"duration,omitempty"` // of a fetch, in seconds
	Bytes    int     `json:"bytes,omitempty"`    // of a fetched file
	Error    string  `json:"error,omitempty"`
}

type event Event

// MarshalJSON returns the event with the fields schema and raw.
func (e Event) MarshalJSON() ([]byte, error) { return encode(event(e)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (e *Event) UnmarshalJSON(text []byte) error { return decode(text, (*event)(e)) }
