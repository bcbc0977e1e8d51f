package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
)

// Column describes a column of a table.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"` // string, integer, number, boolean or time
	Null bool   `json:"null"` // whether it can be null
	Doc  string `json:"doc"`
}

type field struct {
	Column
	index int
	kind  reflect.Kind // of values that are not null
}

func fieldsOf[Row any]() (fields []field) {
	row := reflect.TypeFor[Row]()
	for i := range row.NumField() {
		f := row.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		kind := f.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		fields = append(fields, field{
			Column: Column{name, typeName(kind), kind != f.Type, f.Tag.Get("doc")}, index: i, kind: kind.Kind(),
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
		{"sites", columns(fieldsOf[Site]())},
		{"names", columns(fieldsOf[Name]())},
	}
}

// ColumnsOf returns the columns of a row type, for tables of other commands.
func ColumnsOf[Row any]() []Column { return columns(fieldsOf[Row]()) }

func columns(fields []field) (columns []Column) {
	for _, f := range fields {
		columns = append(columns, f.Column)
	}
	return columns
}

// cell returns the text of a column in a row, and false if it is null.
func (f field) cell(row reflect.Value) (text string, ok bool) {
	v := row.Field(f.index)
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

func (f *field) physical() parquet.Kind {
	switch f.kind {
	case reflect.Bool:
		return parquet.Boolean
	case reflect.Int32:
		return parquet.Int32
	case reflect.Int64:
		return parquet.Int64
	case reflect.Float64:
		return parquet.Double
	}
	return parquet.ByteArray
}

func (f *field) set(row reflect.Value, value parquet.Value) {
	v := row.Field(f.index)
	switch {
	case value.IsNull():
		v.SetZero()
		return
	case f.Null:
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(value.Boolean())
	case reflect.Float64:
		v.SetFloat(value.Double())
	case reflect.Int32:
		v.SetInt(int64(value.Int32()))
	case reflect.Int64:
		v.SetInt(value.Int64())
	case reflect.String:
		v.SetString(string(value.ByteArray()))
	default:
		v.SetBytes(bytes.Clone(value.ByteArray()))
	}
}
