package wire

import "strconv"

// The results of calls of the API that the tool does not print. They are lines like
// the others: each begins with the field schema.

// Answers are the answers to one request.
type Answers struct {
	Truncated bool     `json:"truncated"` // the robots.txt is longer than the limit, and only the bytes within it were read
	Answers   []Answer `json:"answers"`   // in the order of the URLs in the request, and for each URL in the order of the crawlers
	// the site of the robots.txt; missing if the request contains the file, or if there are several sites
	Site *Site `json:"site,omitempty"`
}

// Formatted is a formatted robots.txt.
type Formatted struct {
	Body    string   `json:"body"`              // the file in the uniform layout, unchanged if refused is set
	Changed bool     `json:"changed"`           // body differs from the file in the request
	Refused string   `json:"refused,omitempty"` // why it was not formatted, in words
	Changes []Change `json:"changes,omitempty"` // changes of verdicts in dialects that formatting need not preserve
}

// Fetched is the robots.txt of a site.
type Fetched struct {
	Site Site   `json:"site"`
	Body string `json:"body"` // empty without a file
}

// URLs are the URLs of a list, such as a sitemap.
type URLs struct {
	URLs      []string      `json:"urls"`
	Truncated bool          `json:"truncated"`          // the list has more URLs than the limit
	ReadAs    string        `json:"read_as,omitempty"`  // the format of the list, and the column of CSV and TSV, in words
	Problems  []ListProblem `json:"problems,omitempty"` // lines without a URL
	Omitted   int           `json:"omitted,omitempty"`  // problems that are not listed
}

// ListProblem is a line of a list that has no URL.
type ListProblem struct {
	Line    int    `json:"line"` // the line, from 1; 0 if the problem is not in one line
	Problem string `json:"problem"`
	Hint    string `json:"hint,omitempty"` // what to do
}

// Remarks are likely mistakes in the crawlers and URLs of a query.
type Remarks struct {
	Agents []AgentRemark `json:"agents"`
	URLs   []URLRemark   `json:"urls"`
}

// AgentRemark is a remark about a misspelt crawler.
type AgentRemark struct {
	Agent   string `json:"agent"`   // the crawler as given
	Nearest string `json:"nearest"` // the known crawler that it might mean, in the same notation
}

// URLRemark is a remark about a text that is not a URL, or about a URL that another robots.txt
// governs.
type URLRemark struct {
	Index     int    `json:"index"`                // the index in the request's list, from 0
	URL       string `json:"url"`                  // the URL as given, with *** in place of a user name and password
	Problem   string `json:"problem,omitempty"`    // why it is neither a URL nor a path
	Hint      string `json:"hint,omitempty"`       // what to do
	RobotsURL string `json:"robots_url,omitempty"` // the robots.txt that governs it, if it is not the one that is checked
}

// Resources are the files that a web page loads.
type Resources struct {
	URL       string     `json:"url"` // the page's URL, or the URL in its base element: relative addresses are resolved against it
	Resources []Resource `json:"resources"`
	Truncated bool       `json:"truncated"` // the page has more resources than the limit
}

// Resource is a file that a web page loads.
type Resource struct {
	URL  string       `json:"url"` // an absolute URL
	Kind ResourceKind `json:"kind"`
}

// The types without methods that are encoded.
type (
	answers   Answers
	formatted Formatted
	fetched   Fetched
	urls      URLs
	remarks   Remarks
	resources Resources
)

// MarshalJSON returns the answers with the field schema. It joins the JSON of the
// answers: encoding/json would parse and copy each one, which takes as long as making it.
func (a Answers) MarshalJSON() (text []byte, err error) {
	text = AppendAnswersHead(nil, a.Truncated)
	for i := range a.Answers {
		text, err = AppendAnswer(text, &a.Answers[i], i == 0)
		if err != nil {
			return nil, err
		}
	}
	return AppendAnswersTail(text, a.Site)
}

// AppendAnswersHead appends the beginning of an Answers object. AppendAnswer for each answer and
// AppendAnswersTail complete it, for callers that do not keep all answers.
func AppendAnswersHead(to []byte, truncated bool) []byte {
	to = strconv.AppendBool(append(append(to, opening...), `,"truncated":`...), truncated)
	return append(to, `,"answers":[`...)
}

// AppendAnswer appends an answer, after a comma unless it is the first one.
func AppendAnswer(to []byte, a *Answer, first bool) ([]byte, error) {
	if !first {
		to = append(to, ',')
	}
	return a.AppendJSON(to)
}

// AppendAnswersTail appends the end, with the site if all answers share one.
func AppendAnswersTail(to []byte, site *Site) (_ []byte, err error) {
	to = append(to, ']')
	if site != nil {
		to, err = site.AppendJSON(append(to, `,"site":`...))
		if err != nil {
			return to, err
		}
	}
	return append(to, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON returns.
func (a *Answers) UnmarshalJSON(text []byte) error { return decode(text, (*answers)(a)) }

// MarshalJSON returns the file with the fields schema and raw.
func (f Formatted) MarshalJSON() ([]byte, error) { return encode(formatted(f)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (f *Formatted) UnmarshalJSON(text []byte) error { return decode(text, (*formatted)(f)) }

// MarshalJSON returns the file with the fields schema and raw.
func (f Fetched) MarshalJSON() ([]byte, error) { return encode(fetched(f)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (f *Fetched) UnmarshalJSON(text []byte) error { return decode(text, (*fetched)(f)) }

// MarshalJSON returns the list with the fields schema and raw.
func (u URLs) MarshalJSON() ([]byte, error) { return encode(urls(u)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (u *URLs) UnmarshalJSON(text []byte) error { return decode(text, (*urls)(u)) }

// MarshalJSON returns the resources with the fields schema and raw.
func (r Resources) MarshalJSON() ([]byte, error) { return encode(resources(r)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (r *Resources) UnmarshalJSON(text []byte) error { return decode(text, (*resources)(r)) }

// MarshalJSON returns the remarks with the fields schema and raw.
func (r Remarks) MarshalJSON() ([]byte, error) { return encode(remarks(r)) }

// UnmarshalJSON reads what MarshalJSON returns.
func (r *Remarks) UnmarshalJSON(text []byte) error { return decode(text, (*remarks)(r)) }
