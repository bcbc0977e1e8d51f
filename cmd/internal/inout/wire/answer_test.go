package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/kosterhq/robotstxt/cmd/internal/inout/wire"
)

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
