package report

import "github.com/kosterhq/robotstxt/lint"

// The objects of a log in the Static Analysis Results Interchange Format, SARIF 2.1.0,
// with the properties that are used here. Their names come from the standard, and the
// numbers in comments are its sections.

// SARIFLog is a log.
type SARIFLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

// sarifRun is one run of a tool.
type sarifRun struct {
	Tool             sarifTool         `json:"tool"`
	Invocations      []sarifInvocation `json:"invocations"`
	ColumnKind       string            `json:"columnKind"`
	DefaultEncoding  string            `json:"defaultEncoding"`
	NewlineSequences []string          `json:"newlineSequences"`
	Results          []sarifResult     `json:"results"`
}

// sarifTool is the program that made the results.
type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

// sarifDriver is the tool itself.
type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules,omitempty"`
}

// sarifRule describes a kind of finding.
type sarifRule struct {
	ID               lint.Code          `json:"id"`
	Name             string             `json:"name"`
	ShortDescription sarifMessage       `json:"shortDescription"`
	FullDescription  sarifMessage       `json:"fullDescription"`
	HelpURI          string             `json:"helpUri"`
	Help             sarifHelp          `json:"help"`
	Configuration    sarifConfiguration `json:"defaultConfiguration"`
}

// sarifHelp is the documentation of a rule.
type sarifHelp struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

// sarifConfiguration is the default configuration of a rule.
type sarifConfiguration struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

// sarifInvocation describes the execution of the tool.
type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

// sarifNotification describes a problem of the run.
type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

// sarifMessage is a text for users.
type sarifMessage struct {
	Text string `json:"text"`
}

// sarifResult is a finding.
type sarifResult struct {
	RuleID           lint.Code       `json:"ruleId"`
	RuleIndex        int             `json:"ruleIndex"`
	Level            string          `json:"level"`
	Message          sarifMessage    `json:"message"`
	Locations        []sarifLocation `json:"locations"`
	RelatedLocations []sarifLocation `json:"relatedLocations,omitempty"`
	Fixes            []sarifFix      `json:"fixes,omitempty"`
	// PartialFingerprints identify a result in logs of later versions of the file. The key
	// is ours: GitHub computes the ones that it uses, and warns about others of that name.
	PartialFingerprints map[string]string `json:"partialFingerprints,omitempty"`
}

// sarifLocation is a place in a file.
type sarifLocation struct {
	ID               int                   `json:"id,omitempty"`
	Message          *sarifMessage         `json:"message,omitempty"`
	PhysicalLocation sarifPhysicalLocation `json:"physicalLocation"`
}

// sarifPhysicalLocation is a file and a region of it.
type sarifPhysicalLocation struct {
	ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
	Region           *sarifRegion          `json:"region"`
}

// sarifArtifactLocation is a file.
type sarifArtifactLocation struct {
	URI string `json:"uri"`
}

// sarifRegion is a text region, a range of bytes, or both. An omitted length means zero.
type sarifRegion struct {
	StartLine   int           `json:"startLine,omitempty"`
	StartColumn int           `json:"startColumn,omitempty"`
	EndLine     int           `json:"endLine,omitempty"`
	EndColumn   int           `json:"endColumn,omitempty"`
	CharOffset  int           `json:"charOffset"` // -1 for none
	CharLength  int           `json:"charLength,omitempty"`
	ByteOffset  *int          `json:"byteOffset,omitempty"`
	ByteLength  int           `json:"byteLength,omitempty"`
	Snippet     *sarifContent `json:"snippet,omitempty"`
}

// sarifContent is a part of a file.
type sarifContent struct {
	Text     string        `json:"text,omitempty"`
	Binary   string        `json:"binary,omitempty"`
	Rendered *sarifMessage `json:"rendered,omitempty"`
}

// sarifFix is a fix of a result.
type sarifFix struct {
	Description     sarifMessage          `json:"description"`
	ArtifactChanges []sarifArtifactChange `json:"artifactChanges"`
}

// sarifArtifactChange is a fix in one file.
type sarifArtifactChange struct {
	ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
	Replacements     []sarifReplacement    `json:"replacements"`
}

// sarifReplacement is one edit.
type sarifReplacement struct {
	DeletedRegion   *sarifRegion  `json:"deletedRegion"`
	InsertedContent *sarifContent `json:"insertedContent,omitempty"`
}
