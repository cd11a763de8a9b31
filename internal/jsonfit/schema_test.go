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

type whole struct {
	part
	*other

	ID      uuid.UUID         `json:"id"`
	At      time.Time         `json:"at,omitzero"`
	Kind    string            `json:"kind" enum:"a,b" default:"b" title:"Kind" description:"What it is."`
	Amount  *int              `json:"amount" minimum:"1" maximum:"10" enum:"1,2"`
	Count   uint8             `json:"count,string"`
	Size    uint              `json:"size,omitempty"`
	Ratio   float64           `json:"ratio,omitempty" default:"0.5"`
	Body    []byte            `json:"body,omitempty"`
	Lines   []part            `json:"lines"`
	Pair    [2]bool           `json:"pair,omitempty"`
	Tags    map[string]string `json:"tags,omitempty"`
	Raw     json.RawMessage   `json:"raw,omitempty"`
	Any     any               `json:"any,omitempty"`
	Next    *whole            `json:"next,omitempty"`
	Note    string            `json:"note,omitempty" maxLength:"5" format:"email"`
	Skipped string            `json:"-"`
	hidden  string
}

type part struct {
	SKU  string `json:"sku"`
	Kind int    `json:"kind"` // hidden by the field of whole
}

type other struct {
	More bool `json:"more,omitempty"`
}

func TestSchema_SaysWhatATypeDecodes(t *testing.T) {
	t.Parallel()
	made, err := jsonfit.Schema(reflect.TypeFor[whole]())
	require.NoError(t, err)
	text, err := json.Marshal(made)
	require.NoError(t, err)
	require.JSONEq(t, `{
		"type": "object", "required": ["amount", "count", "id", "kind", "lines", "sku"], "properties": {
			"id": {"type": "string"}, "at": {"type": "string", "format": "date-time"},
			"kind": {"type": "string", "enum": ["a", "b"], "default": "b", "title": "Kind", "description": "What it is."},
			"amount": {"type": ["integer", "null"], "minimum": 1, "maximum": 10, "enum": [1, 2]},
			"count": {"type": "string"}, "size": {"type": "integer", "minimum": 0}, "ratio": {"type": "number", "default": 0.5},
			"body": {"type": ["string", "null"]},
			"lines": {"type": ["array", "null"], "items": {"type": "object", "required": ["kind", "sku"], "properties": {"sku": {"type": "string"}, "kind": {"type": "integer"}}}},
			"pair": {"type": "array", "items": {"type": "boolean"}}, "tags": {"type": ["object", "null"]}, "raw": {}, "any": {}, "next": {},
			"note": {"type": "string", "maxLength": 5, "format": "email"}, "sku": {"type": "string"}, "more": {"type": "boolean"}
		}
	}`, string(text))
	require.Empty(t, whole{}.hidden)

	_, err = jsonfit.Schema(reflect.TypeFor[struct {
		A int `minimum:"one"`
	}]())
	require.EqualError(t, err, `field A has the tag minimum:"one", which is no number`)
}
