package conformance

import _ "embed"

// NameFormat is the version of the format of name cases.
const NameFormat = 1

// NameCase contains texts that programs send as their User-Agent, about one question. README.md
// describes the fields.
type NameCase struct {
	Note  string     `json:"note"`
	Texts []NameText `json:"texts"`
}

// NameText is a text with the product tokens in it: Declared, if a program or its operator states the
// text about itself, and Sender, if it is the header of a request in a log. They are nil if the text names
// no crawler.
type NameText struct {
	Text     string  `json:"text"`
	Declared *string `json:"declared"`
	Sender   *string `json:"sender"`
}

//go:embed names.json
var nameFile []byte

// NameCases returns the name cases of this package. Each call reads them again, so a caller can
// change the result.
func NameCases() ([]NameCase, error) {
	return casesIn[NameCase]("names.json", nameFile, NameFormat)
}
