package jsonfit_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
)

type reservation struct {
	ID    string `json:"id"`
	Cents int    `json:"cents"`
}

type payment struct {
	Receipt string `json:"receipt" tasker:"required"`
	Note    string `json:"note"`
	ignored int
}

type options struct {
	Quiet bool           `json:"quiet,omitempty"`
	Since time.Time      `json:"since,omitzero"`
	More  map[string]int `json:"more,omitempty"`
}

type audited struct {
	reservation
	By string
}

type tree struct {
	Name string `json:"name"`

	*tree //nolint:unused // the type into which JSON is decoded
}

func decode[T any](raw string) error {
	var v T
	return jsonfit.Decode([]byte(raw), &v)
}

func TestDecode_TakesWhatFits(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"all fields":                    decode[reservation](`{"id": "r", "cents": 1}`),
		"one of them, and others":       decode[reservation](` { "x" : {"id": [1, "}"]} , "cents" : 1 }`),
		"in another case":               decode[reservation](`{"ID": "r"}`),
		"with escapes in its name":      decode[reservation](`{"\u0069d": "r"}`),
		"what is required":              decode[payment](`{"note": "x", "receipt": "y"}`),
		"nothing, where all is omitted": decode[options](`{}`),
		"nothing, where nothing is":     decode[struct{}](`{}`),
		"anything, where nothing is":    decode[struct{}](`{"a": 1}`),
		"a field of what is embedded":   decode[audited](`{"cents": 3}`),
		"a type that holds itself":      decode[tree](`{"name": "x"}`),
		"null for a pointer":            decode[*reservation](`null`),
		"null for a slice":              decode[[]reservation](`null`),
		"nothing at all for a map":      decode[map[string]int](``),
		"null for any":                  decode[any](`null`),
		"null as it is":                 decode[json.RawMessage](`null`),
		"a time":                        decode[time.Time](`"2026-01-02T03:04:05Z"`),
		"elements":                      decode[[]reservation](`[{"id": "a"}, {"cents": 2}]`),
		"no elements":                   decode[[]reservation](`[ ]`),
		"elements of a map":             decode[map[string][]payment](`{"a": [{"receipt": "x\"]"}], "b": []}`),
		"a number":                      decode[int](`7`),
	} {
		require.NoError(t, err, name)
	}
}

func TestDecode_RefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		says string
	}{
		{decode[payment](`{"id": "r", "cents": 1}`), `the required field "receipt" is missing`},
		{decode[payment](`{"receipt": null}`), `the required field "receipt" is missing`},
		{decode[payment](`{"ignored": 1}`), `the required field "receipt" is missing`},
		{decode[reservation](`{"receipt": "x"}`), `the object has none of the type's fields, which are id, cents`},
		{decode[reservation](`{}`), `the object is empty, and the type has id, cents`},
		{decode[options](`{"loud": true}`), `none of the type's fields`},
		{decode[reservation](`null`), `null is another kind of JSON`},
		{decode[int](``), `null is another kind of JSON`},
		{decode[string](`7`), `cannot unmarshal number`},
		{decode[reservation](`[1]`), `cannot unmarshal array`},
		{decode[*reservation](`{"receipt": "x"}`), `none of the type's fields`},
		{decode[[]reservation](`[{"id": "a"}, {"receipt": 1}]`), `element 1: the object has none`},
		{decode[map[string]reservation](`{"a": {"id": "a"}, "b": {}}`), `element "b": the object is empty`},
	} {
		require.ErrorIs(t, c.err, jsonfit.ErrMisfit)
		require.ErrorContains(t, c.err, c.says)
	}
	require.ErrorContains(t, decode[reservation](`{"receipt": "x"}`), `does not fit jsonfit_test.reservation: `)
	require.ErrorContains(t, decode[reservation](`{"receipt": "x"}`), `; it is {"receipt": "x"}`)
	_ = payment{}.ignored
}

func FuzzDecode_NeverPanics(f *testing.F) {
	for _, seed := range []string{`{"id":1}`, `[[],{}]`, ` {"a\"b" : [1 , {"x":null}], "id":"\\"} `, `tru`, `{"id":-1e5 }`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(_ *testing.T, raw []byte) {
		for _, v := range []any{new(reservation), new(payment), new([]reservation), new(map[string]payment), new(int), new(any)} {
			_ = jsonfit.Decode(raw, v)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	raw := []byte(`{"id": "r-1", "cents": 1200, "lines": [1, 2, 3]}`)
	for b.Loop() {
		var r reservation
		_ = jsonfit.Decode(raw, &r)
	}
}

type (
	hedge  []hedge
	trie   map[string]trie
	forest struct {
		Trees  []forest          `json:"trees"`
		ByName map[string]forest `json:"by_name,omitempty"`
	}
	grove []map[string]*grove
	knot  *knot
)

func TestDecode_TakesRecursiveTypes(t *testing.T) {
	t.Parallel()
	require.NoError(t, jsonfit.Decode([]byte(`[[], [[]]]`), new(hedge)))
	require.NoError(t, jsonfit.Decode([]byte(`{"a": {"b": {}}}`), new(trie)))
	require.NoError(t, jsonfit.Decode([]byte(`[{"a": [{"b": null}]}]`), new(grove)))
	require.NoError(t, jsonfit.Decode([]byte(`{"trees": [{"trees": [], "by_name": {"oak": {"trees": null}}}]}`), new(forest)))
	require.ErrorIs(t, jsonfit.Decode([]byte(`[{"leaves": 7}]`), new([]forest)), jsonfit.ErrMisfit)
	require.ErrorIs(t, jsonfit.Decode([]byte(`{"a": 7}`), new(trie)), jsonfit.ErrMisfit)
	require.NoError(t, jsonfit.Decode([]byte(`null`), new(knot)))
}
