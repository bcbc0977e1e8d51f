package wire

import "github.com/kosterhq/robotstxt/permission"

// Permit is what may be done with a URL, for each purpose.
type Permit struct {
	URL         string              `json:"url"`                    // as given
	ComparedURL string              `json:"compared_url,omitempty"` // as rules are compared with it, if it differs
	RobotsURL   string              `json:"robots_url,omitempty"`
	RobotsFile  string              `json:"robots_file,omitempty"` // the local file
	Outcome     Outcome             `json:"outcome"`
	Requested   []string            `json:"requested"` // the URLs that were requested beside robots.txt
	Answers     []permission.Answer `json:"answers"`   // for each crawler of the question and each purpose
	Differing   []permission.Answer `json:"differing"` // for known crawlers with another verdict, if none was named
}

// permit is the type without methods that is encoded.
type permit Permit

// MarshalJSON returns the answers with the fields schema and raw.
func (p Permit) MarshalJSON() ([]byte, error) { return encode(permit(p)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (p *Permit) UnmarshalJSON(text []byte) error { return decode(text, (*permit)(p)) }
