package jsonfit_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
)

type copied struct {
	Text  string
	Any   any
	Lines []line
	By    map[string]*line
	Raw   json.RawMessage
	At    time.Time
	ID    uuid.UUID
	Pair  [2][]int
	None  *line
}

type line struct{ Tags []string }

func TestCopier_SharesNothingThatCanChange(t *testing.T) {
	t.Parallel()
	raw := `{"Text": "t", "Any": {"a": [1, {"b": null}]}, "Lines": [{"Tags": ["x"]}], "By": {"k": {"Tags": ["y"]}}, "Raw": {"r": 1},
		"At": "2026-01-02T03:04:05Z", "ID": "01980000-0000-7000-8000-00000000000b", "Pair": [[1], [2]]}`
	var from, to, whole copied
	require.NoError(t, json.Unmarshal([]byte(raw), &from))
	require.NoError(t, json.Unmarshal([]byte(raw), &whole))
	jsonfit.Copier(reflect.TypeFor[copied]())(reflect.ValueOf(&to).Elem(), reflect.ValueOf(&from).Elem())
	require.Equal(t, whole, to)

	to.Any.(map[string]any)["a"].([]any)[0] = 7
	to.Any.(map[string]any)["a"].([]any)[1].(map[string]any)["b"] = 7
	to.Lines[0].Tags[0], to.By["k"].Tags[0], to.Raw[0], to.Pair[1][0] = "changed", "changed", 'x', 7
	to.By["new"] = nil
	require.Equal(t, whole, from, "the original is as it was")
}

type hidden struct{ n []int }

type recursive struct{ Next *recursive }

func TestCopier_RefusesWhatItCannotSee(t *testing.T) {
	t.Parallel()
	for _, typ := range []reflect.Type{
		reflect.TypeFor[hidden](), reflect.TypeFor[recursive](), reflect.TypeFor[map[string]hidden](), reflect.TypeFor[chan int](),
		reflect.TypeFor[[]error](), reflect.TypeFor[struct{ At *json.Decoder }](),
	} {
		require.Nil(t, jsonfit.Copier(typ), "%s", typ)
	}
	_ = hidden{}.n
}
