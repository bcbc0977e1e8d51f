package wire_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/kosterhq/robotstxt"
	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

// fields is an answer without methods, which encoding/json writes.
type fields wire.Answer

// TestAppendJSON: an answer is appended as encoding/json writes it, whichever of its
// fields are set, and a field that is added to the struct cannot be forgotten.
func TestAppendJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		a := wire.Answer{Provenance: &wire.Provenance{}}
		fillAnswer(reflect.ValueOf(&a).Elem(), random, 1+random.IntN(40))
		if random.IntN(3) == 0 {
			a.Provenance = nil
		}
		want, wantErr := wire.Line{Object: fields(a)}.MarshalJSON()
		got, err := a.AppendJSON([]byte("before "))
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, append([]byte("before "), want...)) {
			t.Fatalf("got  %s (%v)\nwant %s (%v)", got, err, want, wantErr)
		}
	}
}

// fillAnswer sets the fields of a struct, and one of oddness strings to one that needs escapes.
func fillAnswer(v reflect.Value, random *rand.Rand, oddness int) {
	plain := []string{"", "", "a", "/cart?a=b&c=<d>", "Googlebot", "https://shop.example/{}[],:'"}
	odd := []string{`say "x"`, `a\b`, "é", "\xff", "\u2028", "\x7f", "\x00", "\t", "\ufffd"}
	for _, field := range v.Fields() {
		switch field.Kind() {
		case reflect.Pointer:
			if field.Type().Elem().Kind() == reflect.Uint8 {
				field.Set(reflect.New(field.Type().Elem()))
				field.Elem().SetUint(random.Uint64N(3))
				break
			}
			fillAnswer(field.Elem(), random, oddness)
		case reflect.String:
			field.SetString(plain[random.IntN(len(plain))])
			if random.IntN(oddness) == 0 {
				field.SetString(odd[random.IntN(len(odd))])
			}
		case reflect.Slice:
			field.Set(reflect.ValueOf([][]string{nil, {}, {"a"}, {"a", "b", ""}, {"é"}}[random.IntN(5)]))
		case reflect.Bool:
			field.SetBool(random.IntN(2) == 0)
		case reflect.Int:
			field.SetInt([]int64{0, 1, -1, 503}[random.IntN(4)])
		case reflect.Uint8:
			field.SetUint(random.Uint64N(8))
		case reflect.Struct:
			if field.Type() == reflect.TypeFor[wire.Query]() {
				fillAnswer(field, random, oddness)
				break
			}
			at := []time.Time{{}, time.Unix(1e9, 123456789).UTC(), time.Unix(2e9, 0).In(time.FixedZone("", 3600)), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}
			field.Set(reflect.ValueOf(at[random.IntN(len(at))]))
		default:
			panic(field.Kind())
		}
	}
}

// TestAnswersJSON: the object in parts is what encoding/json writes, with its fields.
func TestAnswersJSON(t *testing.T) {
	answer := wire.Answer{Query: wire.Query{URL: "https://shop.example/cart", Agent: "GPTBot"}}
	for _, want := range []wire.Answers{
		{Truncated: true, Answers: []wire.Answer{answer, answer}},
		{Answers: []wire.Answer{answer}, Site: &wire.Site{Outcome: wire.OutcomeRules, Hops: []wire.Hop{}}},
		{Truncated: true, Answers: []wire.Answer{}},
	} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got wire.Answers
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %+v, %v", text, got, err)
		}
	}
}

// TestAppendJSONAllocations: an answer of plain strings allocates nothing.
func TestAppendJSONAllocations(t *testing.T) {
	a := wire.Answer{Query: wire.Query{URL: "https://shop.example/cart", Agent: "GPTBot"}, Rule: "Disallow: /cart", Reason: robotstxt.ReasonRule, Provenance: &wire.Provenance{FetchedAt: time.Unix(1e9, 0).UTC()}}
	buffer := make([]byte, 0, 4096)
	allocations := testing.AllocsPerRun(100, func() {
		if _, err := a.AppendJSON(buffer); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > 0 {
		t.Errorf("%v allocations", allocations)
	}
}
