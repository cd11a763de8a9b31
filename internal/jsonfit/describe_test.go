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

func TestUnfit_FindsWhatCannotBeJSON(t *testing.T) {
	t.Parallel()
	type loop struct {
		Next *loop
		Name string
	}
	type skipped struct {
		Done   chan int `json:"-"`
		hidden func()   //nolint:unused // JSON does not see it
	}
	for want, typ := range map[string]reflect.Type{
		"chan int":              reflect.TypeFor[chan int](),
		"func()":                reflect.TypeFor[*func()](),
		"complex64":             reflect.TypeFor[[]complex64](),
		"Done: chan int":        reflect.TypeFor[map[string]struct{ Done chan int }](),
		"Inner.Done: chan bool": reflect.TypeFor[struct{ Inner []struct{ Done chan bool } }](),
	} {
		require.Equal(t, want, jsonfit.Unfit(typ), typ)
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[loop](), reflect.TypeFor[skipped](), reflect.TypeFor[any](), reflect.TypeFor[time.Time](), reflect.TypeFor[struct{}](),
	} {
		require.Empty(t, jsonfit.Unfit(typ), typ)
	}
}
