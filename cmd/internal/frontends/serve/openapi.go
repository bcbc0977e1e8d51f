package serve

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// openAPI returns the description of the service (OpenAPI 3.1). It is made from the table
// of operations, the structs of their requests, and the schemas of package wire.
func openAPI(version string, hasToken bool) ([]byte, error) {
	schemas := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	d := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "robots", Version: version,
			Description: "Which URLs a robots.txt allows each crawler to fetch, and which line decides. Results have the same form as the JSON of the robots command.",
		},
		Components: &huma.Components{Schemas: schemas},
	}
	if hasToken {
		d.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer"}}
		d.Security = []map[string][]string{{"token": {}}}
	}
	problems := &huma.Response{
		Description: "A problem with the request: see its code (RFC 9457)",
		Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: schemas.Schema(reflect.TypeFor[Problem](), true, "")}},
	}
	for _, o := range operations() {
		described, err := o.describe(schemas)
		if err != nil {
			return nil, err
		}
		described.Responses["default"] = problems
		d.AddOperation(described)
	}
	d.AddOperation(describeCrawlers(problems))
	if err := addWireSchemas(schemas); err != nil {
		return nil, err
	}
	return json.Marshal(d)
}

// addWireSchemas adds the schemas of package wire. They replace the schemas that were made
// from wire's structs in requests.
func addWireSchemas(to huma.Registry) error {
	text := strings.ReplaceAll(string(wire.JSONSchema()), `"#/$defs/`, `"#/components/schemas/`)
	var schema struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		return err
	}
	for name, definition := range schema.Defs {
		to.Map()[name] = &huma.Schema{Extensions: definition}
	}
	return nil
}

func (o *operation) describe(schemas huma.Registry) (*huma.Operation, error) {
	var example any
	if err := json.Unmarshal([]byte(o.example), &example); err != nil {
		return nil, fmt.Errorf("serve: the example of %s: %w", o.name, err)
	}
	result := resultOf(o.result)
	body := map[string]*huma.MediaType{typeJSON: {Schema: schemas.Schema(o.request, true, ""), Example: example}}
	content := map[string]*huma.MediaType{typeJSON: {Schema: result}}
	if o.lines {
		body[typeLines] = &huma.MediaType{Schema: &huma.Schema{OneOf: []*huma.Schema{
			schemas.Schema(reflect.TypeFor[StreamHead](), true, ""), {Type: "string", Description: "A URL"},
		}, Description: "The first line is an object. Each line after it is a URL as a JSON string."}}
		content[typeLines] = &huma.MediaType{Schema: &huma.Schema{OneOf: []*huma.Schema{
			resultOf("Answer"), resultOf("GridRow"), schemas.Schema(reflect.TypeFor[Problem](), true, ""),
		}, Description: "The lines are in the order of the request. If a line is not a URL, its answer is a problem with its line number."}}
	}
	return &huma.Operation{
		Method: "POST", Path: "/v1/" + o.name, OperationID: o.name, Summary: o.summary, Description: o.text,
		RequestBody: &huma.RequestBody{Required: true, Content: body},
		Responses:   map[string]*huma.Response{"200": {Description: "The result", Content: content}},
	}, nil
}

func resultOf(name string) *huma.Schema { return &huma.Schema{Ref: "#/components/schemas/" + name} }

func describeCrawlers(problems *huma.Response) *huma.Operation {
	list := func(name, text string, example any) *huma.Param {
		return &huma.Param{
			Name: name, In: "query", Description: text, Schema: &huma.Schema{Type: "array", Items: &huma.Schema{Type: "string"}},
			Explode: new(false), Example: example,
		}
	}
	return &huma.Operation{
		Method: "GET", Path: "/v1/crawlers", OperationID: "crawlers-query", Summary: "The known crawlers, with a source for each fact",
		Parameters: []*huma.Param{
			list("names", "Product tokens or User-Agent headers", []string{"GPTBot", "Googlebot"}),
			list("purposes", "Only the crawlers with one of these purposes", nil),
			list("operators", "Only the crawlers of these operators", nil),
		},
		Responses: map[string]*huma.Response{
			"200":     {Description: "The result", Content: map[string]*huma.MediaType{typeJSON: {Schema: resultOf("CrawlerList")}}},
			"default": problems,
		},
	}
}
