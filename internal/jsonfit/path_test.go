package jsonfit

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type pathLine struct {
	Article string `json:"article"`
	Until   time.Time
}

type pathBase struct{ Number int }

type pathOrder struct {
	pathBase
	Amount int                   `json:"amount,omitempty"`
	Hidden int                   `json:"-"`
	Lines  []*pathLine           `json:"lines"`
	Tags   map[string]string     `json:"tags"`
	Raw    json.RawMessage       `json:"raw"`
	Any    any                   `json:"any"`
	Bytes  []byte                `json:"bytes"`
	Pairs  map[string][]pathLine `json:"pairs"`
	hidden int
}

func TestMissing_FindsFieldsThatTheJSONOfATypeNeverHas(t *testing.T) {
	t.Parallel()
	order := reflect.TypeFor[pathOrder]()
	_ = pathOrder{}.hidden
	for path, want := range map[string]string{
		`$.amount < 1000`: "", `$.amont < 1000`: "amont", `$.Amount < 1000`: "Amount", `$.Number == 1`: "", `$.Hidden == 1`: "Hidden",
		`$.amount > 1 && $.lines.articel == "x"`: "articel", `exists($.lines[*].article)`: "", `$.lines[0].Until.day == 1`: "",
		`$.tags.anything == "x"`: "", `$.raw.a.b == 1`: "", `$.any.a == 1`: "", `$.bytes.size() > 1`: "", `$.lines.size() > 1`: "",
		`$.lines[*] ? (@.articel == 1)`: "", `$.** == 1`: "", `$ == "$.amont"`: "", `$."amount" == 1`: "", `$."am ount" == 1`: "am ount",
		`$.amount.cents == 1`: "cents", `strict $.amont == 1`: "amont", `$x == 1`: "", `$.pairs.a.b == 1`: "",
	} {
		got, _ := Missing(order, path)
		require.Equal(t, want, got, path)
	}
	_, fields := Missing(reflect.TypeFor[pathLine](), "$.name")
	require.Equal(t, []string{"Until", "article"}, fields)
	got, _ := Missing(reflect.TypeFor[int](), "$ > 1000")
	require.Empty(t, got)
	got, _ = Missing(reflect.TypeFor[int](), "$.cents > 1000")
	require.Equal(t, "cents", got)
}
