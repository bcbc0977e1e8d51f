package audit_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kosterhq/robotstxt/cmd/internal/many/audit"
)

// randomRows returns rows whose columns have nulls, the values of the row before (the same
// pointer or another one), old values and new ones. Columns in never have only nulls.
func randomRows[Row any](random *rand.Rand, count int, never ...string) []Row {
	rows := make([]Row, count)
	for i := range rows {
		row := reflect.ValueOf(&rows[i]).Elem()
		for j := range row.NumField() {
			field := row.Field(j)
			kind := field.Type()
			if isNull := kind.Kind() == reflect.Pointer; isNull {
				kind = kind.Elem()
			}
			choice := random.IntN(8)
			switch {
			case slices.Contains(never, row.Type().Field(j).Name):
				continue
			case i > 0 && choice < 4:
				field.Set(reflect.ValueOf(rows[i-1]).Field(j))
				continue
			case field.Kind() == reflect.Pointer && choice == 4:
				continue
			}
			n := random.IntN(100)
			if choice == 5 {
				n = random.Int()
			}
			value := reflect.New(kind).Elem()
			switch kind.Kind() {
			case reflect.String:
				value.SetString(strings.Repeat("é", n%3) + fmt.Sprint(n))
			case reflect.Int32, reflect.Int64:
				value.SetInt(int64(int32(n)) - 50)
			case reflect.Float64:
				value.SetFloat(float64(n)/8 - 50)
			case reflect.Bool:
				value.SetBool(n%2 == 0)
			default:
				value.SetBytes(fmt.Append([]byte{0, 0xff}, n))
			}
			if field.Kind() == reflect.Pointer {
				pointer := reflect.New(kind)
				pointer.Elem().Set(value)
				value = pointer
			}
			field.Set(value)
		}
	}
	return rows
}

// testRows writes rows and reads them with the reader of the library, which knows nothing of
// the writer but the type of the rows.
func testRows[Row any](t *testing.T, rows []Row, groups int) {
	t.Helper()
	var file bytes.Buffer
	if err := audit.WriteRows(&file, rows); err != nil {
		t.Fatal(err)
	}
	data := bytes.NewReader(file.Bytes())
	table, err := parquet.OpenFile(data, data.Size())
	if err != nil {
		t.Fatal(err)
	}
	if want := parquet.SchemaOf(new(Row)); !parquet.EqualNodes(table.Schema(), want) {
		t.Errorf("schema\n%v\nwant\n%v", table.Schema(), want)
	}
	if n := len(table.RowGroups()); n != groups {
		t.Errorf("%d row groups, want %d", n, groups)
	}
	got, err := parquet.Read[Row](data, data.Size())
	if err != nil || len(got) != len(rows) {
		t.Fatalf("%d rows, want %d (%v)", len(got), len(rows), err)
	}
	for i := range rows {
		if !reflect.DeepEqual(got[i], rows[i]) {
			t.Fatalf("row %d of %d is\n%+v\nwant\n%+v", i, len(rows), got[i], rows[i])
		}
	}
	for g, group := range table.Metadata().RowGroups {
		for i, column := range group.Columns {
			testStatistics(t, table, g, i, column.MetaData.Statistics.NullCount)
		}
	}
}

// testStatistics compares the statistics of a column in a row group with its values.
func testStatistics(t *testing.T, table *parquet.File, group, index int, nulls int64) {
	t.Helper()
	chunk := table.RowGroups()[group].ColumnChunks()[index]
	kind := chunk.Type()
	name := table.Schema().Columns()[index][0]
	values := make([]parquet.Value, chunk.NumValues())
	reader := parquet.NewColumnChunkValueReader(chunk)
	defer reader.Close()
	for read := 0; read < len(values); {
		n, err := reader.ReadValues(values[read:])
		for i := range n {
			values[read+i] = values[read+i].Clone()
		}
		read += n
		if n == 0 {
			t.Fatalf("%s: %d values (%v), want %d", name, read, err, len(values))
		}
	}
	known := slices.DeleteFunc(values, parquet.Value.IsNull)
	if got := chunk.NumValues() - int64(len(known)); got != nulls {
		t.Errorf("%s: %d nulls, the statistics have %d", name, got, nulls)
	}
	s := table.Metadata().RowGroups[group].Columns[index].MetaData.Statistics
	if s.MinValue == nil || len(known) == 0 || kind.Kind() == parquet.Boolean {
		unbound := []string{"body", "record", "digest", "crawler", "rule", "redirect", "chain", "names"}
		if isBounded := kind.Kind() != parquet.Boolean && !slices.Contains(unbound, name) && len(known) > 0; isBounded {
			t.Errorf("%s has no statistics", name)
		}
		return
	}
	least, most := kind.Kind().Value(s.MinValue), kind.Kind().Value(s.MaxValue)
	if got := slices.MinFunc(known, kind.Compare); kind.Compare(got, least) != 0 {
		t.Errorf("%s: the least value is %v, the statistics have %v", name, got, least)
	}
	if got := slices.MaxFunc(known, kind.Compare); kind.Compare(got, most) != 0 {
		t.Errorf("%s: the greatest value is %v, the statistics have %v", name, got, most)
	}
}

// TestTableWriter: the library reads what was written, in tables of no row, one row and some row
// groups, in columns of each type with and without nulls, and of nulls only.
func TestTableWriter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	testRows(t, []audit.Crawler(nil), 0)
	for _, count := range []int{1, 2, 7, 8, 9, 300} {
		testRows(t, randomRows[audit.File](random, count, "Problem", "Cut", "Size"), 1)
		testRows(t, randomRows[audit.Crawler](random, count, "Samples", "Home"), 1)
		testRows(t, randomRows[audit.ChangeRow](random, count), 1)
		testRows(t, randomRows[audit.Site](random, count, "Size", "Weight"), 1)
		testRows(t, randomRows[audit.Name](random, count, "Weight"), 1)
		testRows(t, randomRows[audit.Body](random, count), 1)
	}
	testRows(t, slices.Repeat(randomRows[audit.ChangeRow](random, 501), 100), 2)
	bodies := randomRows[audit.Body](random, 20)
	for i := range bodies {
		bodies[i].Body = bytes.Repeat([]byte{byte(i)}, 1<<20)
	}
	testRows(t, bodies, 3)
}

// naming yields made files, a third of which name a crawler. They have no host. The rule that
// decides on the home page is long, so that the rows of few files fill a row group.
type naming struct{ files int }

func (naming) Name() string { return "made" }

func (n naming) Files(_ context.Context, yield func(*audit.Input) error) error {
	for i := range n.files {
		in := audit.Input{Record: fmt.Sprint(i), Position: audit.Position(i, 0), Status: 200,
			Body: fmt.Appendf(nil, "User-agent: *\nDisallow: /%s\n", strings.Repeat("*", 1000+i))}
		if i%3 == 0 {
			in.Body = fmt.Appendf(in.Body, "User-agent: %s\nDisallow: /\n", []string{"GPTBot", "Googlebot", "CCBot"}[i/3%3])
		}
		if i%7 == 0 {
			in.Status, in.Body = 404, nil
		}
		if err := yield(&in); err != nil {
			return err
		}
	}
	return nil
}

// TestRowsOfCrawlers: rows that are written at once because they are those before but for the
// crawler, even if a row group ends between them, are the rows that are made one by one.
func TestRowsOfCrawlers(t *testing.T) {
	source := naming{90}
	questions := audit.Questions{Crawlers: audit.DefaultCrawlers()}
	parts, err := audit.OpenParts(t.TempDir(), audit.PartsConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Run(t.Context(), []audit.Source{source}, parts,
		audit.Options{Questions: questions}); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "crawlers.parquet")
	if err := parts.WriteCrawlers(name); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	table, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(table.RowGroups()); n < 2 {
		t.Errorf("%d row groups, so no boundary was tested", n)
	}
	got, err := parquet.Read[audit.Crawler](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	want, err := audit.CrawlerRows(t.Context(), source, questions)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the rows in the table are others than those that were made")
	}
}
