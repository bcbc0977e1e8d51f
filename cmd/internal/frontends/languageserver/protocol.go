package languageserver

import (
	"encoding/json"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/term"
	"github.com/kosterhq/robotstxt/lint/editor"
)

// The structs of the protocol have the fields that the server uses. Positions, ranges and
// edits come from package editor. [LSP 3.17]

type initializeParams struct {
	Capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Workspace struct {
			WorkspaceEdit struct {
				DocumentChanges bool `json:"documentChanges"`
			} `json:"workspaceEdit"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
		TextDocument struct {
			CodeAction struct {
				ResolveSupport struct {
					Properties []string `json:"properties"`
				} `json:"resolveSupport"`
			} `json:"codeAction"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

// textDocument is TextDocumentItem, and the identifiers, which have some of its fields.
type textDocument struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

// documentParams are the parameters of messages about a document, including messages with more
// fields.
type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
}

type changeParams struct {
	documentParams
	ContentChanges []struct {
		Range *editor.Range `json:"range"` // nil means the whole text
		Text  string        `json:"text"`
	} `json:"contentChanges"`
}

type positionParams struct {
	documentParams
	Position editor.Position `json:"position"`
}

type codeActionParams struct {
	documentParams
	Range   editor.Range `json:"range"`
	Context struct {
		Only []string `json:"only"` // nil means all kinds
	} `json:"context"`
}

type diagnostic struct {
	Range    editor.Range `json:"range"`
	Severity int          `json:"severity"`
	Code     string       `json:"code,omitempty"`
	Source   string       `json:"source"`
	Message  string       `json:"message"`
	Related  []related    `json:"relatedInformation,omitempty"`
}

type related struct {
	Location struct {
		URI   string       `json:"uri"`
		Range editor.Range `json:"range"`
	} `json:"location"`
	Message string `json:"message"`
}

// codeAction is CodeAction. Data is the URI of the document if Edit is left to
// codeAction/resolve.
type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Preferred   bool           `json:"isPreferred,omitempty"`
	Edit        map[string]any `json:"edit,omitempty"`
	Data        string         `json:"data,omitempty"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(text string) *markup {
	if text == "" {
		return nil
	}
	return &markup{"markdown", text}
}

type hover struct {
	Contents *markup      `json:"contents"`
	Range    editor.Range `json:"range"`
}

type completionItem struct {
	Label         string      `json:"label"`
	Kind          int         `json:"kind"`
	Detail        string      `json:"detail,omitempty"`
	Documentation *markup     `json:"documentation,omitempty"`
	TextEdit      editor.Edit `json:"textEdit"`
}

type documentSymbol struct {
	Name           string           `json:"name"`
	Kind           int              `json:"kind"`
	Range          editor.Range     `json:"range"`
	SelectionRange editor.Range     `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

type foldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

type codeLens struct {
	Range   editor.Range `json:"range"`
	Command command      `json:"command"`
}

// command is Command. Without a name it is a label that does nothing.
type command struct {
	Title   string `json:"title"`
	Command string `json:"command"`
}

type semanticTokens struct {
	Data []int `json:"data"`
}

// Numbers of the protocol.
const (
	severityInformation = 3

	messageError   = 1
	messageWarning = 2
)

// completionKinds are CompletionItemKind: Property, Value, Keyword and Constant.
var completionKinds = map[editor.Kind]int{editor.KindKey: 10, editor.KindCrawler: 12, editor.KindOrder: 14,
	editor.KindCode: 21}

// symbolKinds are SymbolKind: Namespace, Property and File.
var symbolKinds = map[editor.Kind]int{editor.KindGroup: 3, editor.KindRule: 7, editor.KindSitemap: 1}

// tokenTypes are the standard types of semantic tokens, in the order of the legend.
var tokenTypes = []string{"keyword", "property", "class", "string", "operator", "parameter", "comment"}

// tokenKinds are the types of tokens, as indexes of tokenTypes.
var tokenKinds = map[editor.Kind]int{
	editor.KindKey: 0, editor.KindUnknownKey: 1, editor.KindAgent: 2, editor.KindPattern: 3, editor.KindURL: 3,
	editor.KindWildcard: 4, editor.KindValue: 5, editor.KindComment: 6, editor.KindIgnored: 6,
}

func (s *server) capabilities() map[string]any {
	type object = map[string]any
	encoding := "utf-16"
	if s.encoding == editor.UTF8 {
		encoding = "utf-8"
	}
	return object{
		"capabilities": object{
			"positionEncoding":   encoding,
			"textDocumentSync":   object{"openClose": true, "change": 2, "save": true},
			"codeActionProvider": object{"codeActionKinds": []string{kindQuickFix, kindFixAll}, "resolveProvider": true},
			"codeLensProvider":   object{},
			"hoverProvider":      true,
			"completionProvider": object{"triggerCharacters": []string{":", " "}},

			"documentSymbolProvider":     true,
			"foldingRangeProvider":       true,
			"documentFormattingProvider": true,
			"semanticTokensProvider": object{
				"legend": object{"tokenTypes": tokenTypes, "tokenModifiers": []string{"deprecated"}}, "full": true,
			},
		},
		"serverInfo": object{"name": "robots", "version": s.config.Version},
	}
}

func decode[P any](params json.RawMessage) (*P, error) {
	p := new(P)
	if err := json.Unmarshal(params, p); err != nil {
		return nil, &fault{invalidParams, "the parameters are malformed: " + term.Reason(err)}
	}
	return p, nil
}
