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

type sarifRun struct {
	Tool             sarifTool         `json:"tool"`
	Invocations      []sarifInvocation `json:"invocations"`
	ColumnKind       string            `json:"columnKind"`
	DefaultEncoding  string            `json:"defaultEncoding"`
	NewlineSequences []string          `json:"newlineSequences"`
	Results          []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules,omitempty"`
}

type sarifRule struct {
	ID               lint.Code          `json:"id"`
	Name             string             `json:"name"`
	ShortDescription sarifMessage       `json:"shortDescription"`
	FullDescription  sarifMessage       `json:"fullDescription"`
	HelpURI          string             `json:"helpUri"`
	Help             sarifHelp          `json:"help"`
	Configuration    sarifConfiguration `json:"defaultConfiguration"`
}

type sarifHelp struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type sarifConfiguration struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

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

type sarifLocation struct {
	ID               int                   `json:"id,omitempty"`
	Message          *sarifMessage         `json:"message,omitempty"`
	PhysicalLocation sarifPhysicalLocation `json:"physicalLocation"`
}

type sarifPhysicalLocation struct {
	ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
	Region           *sarifRegion          `json:"region"`
}

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

type sarifContent struct {
	Text     string        `json:"text,omitempty"`
	Binary   string        `json:"binary,omitempty"`
	Rendered *sarifMessage `json:"rendered,omitempty"`
}

type sarifFix struct {
	Description     sarifMessage          `json:"description"`
	ArtifactChanges []sarifArtifactChange `json:"artifactChanges"`
}

type sarifArtifactChange struct {
	ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
	Replacements     []sarifReplacement    `json:"replacements"`
}

type sarifReplacement struct {
	DeletedRegion   *sarifRegion  `json:"deletedRegion"`
	InsertedContent *sarifContent `json:"insertedContent,omitempty"`
}
