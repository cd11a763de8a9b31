package jsonfit_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/jsonfit"
)

func TestDescribe_SaysWhatJSONATypeDemands(t *testing.T) {
	t.Parallel()
	type grown struct {
		Cents int    `json:"cents"`
		ID    string `json:"id"`
		Note  string `json:"note,omitempty"`
	}
	type quoted struct {
		N int  `json:"n,string"`
		B *int `json:"b"`
	}
	for want, typ := range map[string]reflect.Type{
		"integer":                             reflect.TypeFor[*int32](),
		"string":                              reflect.TypeFor[[]byte](),
		"any":                                 reflect.TypeFor[time.Time](),
		"[any]":                               reflect.TypeFor[[]json.RawMessage](),
		"{*:[number]}":                        reflect.TypeFor[map[string][]float64](),
		"{cents:integer,id:string}":           reflect.TypeFor[reservation](),
		"{By:string,cents:integer,id:string}": reflect.TypeFor[audited](),
		"{name:string}":                       reflect.TypeFor[tree](),
		"{trees:[…]}":                         reflect.TypeFor[forest](),
		"[…]":                                 reflect.TypeFor[hedge](),
		"…":                                   reflect.TypeFor[knot](),
		"{}":                                  reflect.TypeFor[options](),
		"{b:integer,n:string}":                reflect.TypeFor[quoted](),
	} {
		require.Equal(t, want, jsonfit.Describe(typ), typ.String())
	}
	require.Equal(t, jsonfit.Describe(reflect.TypeFor[reservation]()), jsonfit.Describe(reflect.TypeFor[grown]()),
		"a field that may be left out may be added")
}
