package audit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Column describes a column of a table.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"` // string, integer, number, boolean or time
	Null bool   `json:"null"` // whether it can be null
	Doc  string `json:"doc"`
}

// field is a column with its place in the struct of a row.
type field struct {
	Column
	index []int
}

// fieldsOf returns the columns of a row type.
func fieldsOf[Row any]() []field { return appendFields(nil, reflect.TypeFor[Row](), nil) }

func appendFields(fields []field, row reflect.Type, at []int) []field {
	for i := range row.NumField() {
		f := row.Field(i)
		index := append(at[:len(at):len(at)], i)
		if f.Anonymous {
			fields = appendFields(fields, f.Type, index)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		kind := f.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		fields = append(fields, field{
			Column{name, typeName(kind), kind != f.Type, f.Tag.Get("doc")}, index,
		})
	}
	return fields
}

func typeName(kind reflect.Type) string {
	switch {
	case kind == reflect.TypeFor[Millis]():
		return "time"
	case kind.Kind() == reflect.Bool:
		return "boolean"
	case kind.Kind() == reflect.Float64:
		return "number"
	case kind.Kind() == reflect.String:
		return "string"
	case kind.Kind() == reflect.Int32 || kind.Kind() == reflect.Int64:
		return "integer"
	}
	return "bytes"
}

// TableSchema describes a table.
type TableSchema struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
}

// Schema returns the tables of an audit.
func Schema() []TableSchema {
	return []TableSchema{
		{string(fileRows), columns(fieldsOf[File]())},
		{string(crawlerRows), columns(fieldsOf[Crawler]())},
		{string(bodyRows), columns(fieldsOf[Body]())},
		{"changes", columns(fieldsOf[ChangeRow]())},
	}
}

func columns(fields []field) (columns []Column) {
	for _, f := range fields {
		columns = append(columns, f.Column)
	}
	return columns
}

// cell returns the text of a column in a row, and false if it is null.
func (f field) cell(row reflect.Value) (text string, ok bool) {
	v := row.FieldByIndex(f.index)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "", false
		}
		v = v.Elem()
	}
	switch f.Type {
	case "time":
		return v.Interface().(Millis).Time().Format(time.RFC3339), true
	case "boolean":
		return strconv.FormatBool(v.Bool()), true
	case "number":
		return strconv.FormatFloat(v.Float(), 'g', -1, 64), true
	case "integer":
		return strconv.FormatInt(v.Int(), 10), true
	case "string":
		return v.String(), true
	}
	return fmt.Sprintf("%x", v.Bytes()), true
}

// appendJSON appends a row as an object with all columns.
func appendJSON(to []byte, fields []field, row reflect.Value) []byte {
	for i, f := range fields {
		to = append(to, "{,"[min(i, 1)])
		to = append(strconv.AppendQuote(to, f.Name), ':')
		text, ok := f.cell(row)
		switch {
		case !ok:
			to = append(to, "null"...)
		case f.Type == "boolean" || f.Type == "number" || f.Type == "integer":
			to = append(to, text...)
		default:
			quoted, _ := json.Marshal(text) // a string is always valid
			to = append(to, quoted...)
		}
	}
	return append(to, '}')
}
