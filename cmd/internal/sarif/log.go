// Package sarif writes findings as a log in the Static Analysis Results Interchange
// Format, SARIF 2.1.0. The numbers in comments are sections of that standard.
package sarif

import "github.com/kosterhq/robotstxt/lint"

// The objects of a SARIF log, with the properties that are used here. Their names are
// those of the standard.

// Log is a log.
type Log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []Run  `json:"runs"`
}

// Run is one run of a tool.
type Run struct {
	Tool             Tool         `json:"tool"`
	Invocations      []Invocation `json:"invocations"`
	ColumnKind       string       `json:"columnKind"`
	DefaultEncoding  string       `json:"defaultEncoding"`
	NewlineSequences []string     `json:"newlineSequences"`
	Results          []Result     `json:"results"`
}

// Tool is the program that made the results.
type Tool struct {
	Driver Driver `json:"driver"`
}

// Driver is the tool itself.
type Driver struct {
	Name           string `json:"name"`
	Version        string `json:"version"`
	InformationURI string `json:"informationUri"`
	Rules          []Rule `json:"rules,omitempty"`
}

// Rule describes a kind of finding.
type Rule struct {
	ID               lint.Code     `json:"id"`
	Name             string        `json:"name"`
	ShortDescription Message       `json:"shortDescription"`
	FullDescription  Message       `json:"fullDescription"`
	HelpURI          string        `json:"helpUri"`
	Help             Help          `json:"help"`
	Configuration    Configuration `json:"defaultConfiguration"`
}

// Help is the documentation of a rule.
type Help struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

// Configuration is the default configuration of a rule.
type Configuration struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

// Invocation describes the execution of the tool.
type Invocation struct {
	ExecutionSuccessful bool           `json:"executionSuccessful"`
	Notifications       []Notification `json:"toolExecutionNotifications,omitempty"`
}

// Notification describes a problem of the run.
type Notification struct {
	Level   string  `json:"level"`
	Message Message `json:"message"`
}

// Message is a text for users.
type Message struct {
	Text string `json:"text"`
}

// Result is a finding.
type Result struct {
	RuleID           lint.Code  `json:"ruleId"`
	RuleIndex        int        `json:"ruleIndex"`
	Level            string     `json:"level"`
	Message          Message    `json:"message"`
	Locations        []Location `json:"locations"`
	RelatedLocations []Location `json:"relatedLocations,omitempty"`
	Fixes            []Fix      `json:"fixes,omitempty"`
	// PartialFingerprints identify a result in logs of later versions of the file. The key
	// is ours: GitHub computes the ones that it uses, and warns about others of that name.
	PartialFingerprints map[string]string `json:"partialFingerprints,omitempty"`
}

// Location is a place in a file.
type Location struct {
	ID               int              `json:"id,omitempty"`
	Message          *Message         `json:"message,omitempty"`
	PhysicalLocation PhysicalLocation `json:"physicalLocation"`
}

// PhysicalLocation is a file and a region of it.
type PhysicalLocation struct {
	ArtifactLocation ArtifactLocation `json:"artifactLocation"`
	Region           *Region          `json:"region"`
}

// ArtifactLocation is a file.
type ArtifactLocation struct {
	URI string `json:"uri"`
}

// Region is a text region, a range of bytes, or both. A length of zero that
// is left out means zero.
type Region struct {
	StartLine   int      `json:"startLine,omitempty"`
	StartColumn int      `json:"startColumn,omitempty"`
	EndLine     int      `json:"endLine,omitempty"`
	EndColumn   int      `json:"endColumn,omitempty"`
	CharOffset  int      `json:"charOffset"` // -1 for none
	CharLength  int      `json:"charLength,omitempty"`
	ByteOffset  *int     `json:"byteOffset,omitempty"`
	ByteLength  int      `json:"byteLength,omitempty"`
	Snippet     *Content `json:"snippet,omitempty"`
}

// Content is a part of a file.
type Content struct {
	Text     string   `json:"text,omitempty"`
	Binary   string   `json:"binary,omitempty"`
	Rendered *Message `json:"rendered,omitempty"`
}

// Fix is a fix of a result.
type Fix struct {
	Description     Message          `json:"description"`
	ArtifactChanges []ArtifactChange `json:"artifactChanges"`
}

// ArtifactChange is a fix in one file.
type ArtifactChange struct {
	ArtifactLocation ArtifactLocation `json:"artifactLocation"`
	Replacements     []Replacement    `json:"replacements"`
}

// Replacement is one edit.
type Replacement struct {
	DeletedRegion   *Region  `json:"deletedRegion"`
	InsertedContent *Content `json:"insertedContent,omitempty"`
}
