package pgjson_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgjson"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var (
	unstorable = []string{
		`{`, `"\u0000"`, `{"a": "b\u0000"}`, `"\\\u0000"`, `{"\u0000": 1}`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\n"`,
		`"\ude00\ud83d"`, "\"\xff\"",
	}
	storable = []string{
		`null`, `"\\u0000"`, `"\\\\u0000"`, `"u0000"`, `"\ud83d\ude00"`, `"\u00e4\\\ud83d\ude00"`, `"\\ud83d"`, `{"a": ["\""]}`,
	}
)

func TestCheck_SaysWhatPostgreSQLSays(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	store := func(raw string) error {
		_, err := pool.Exec(t.Context(), "select $1::text::jsonb", raw)
		return err
	}
	for _, raw := range unstorable {
		require.ErrorIs(t, pgjson.Check([]byte(raw)), pgjson.ErrUnstorable, raw)
		require.Error(t, store(raw), raw)
	}
	for _, raw := range storable {
		require.NoError(t, pgjson.Check([]byte(raw)), raw)
		require.NoError(t, store(raw), raw)
	}
	require.NoError(t, pgjson.Check(nil), "nothing is null")
}

func TestDepth_CountsWhatIsNotQuoted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{`1`: 0, `[]`: 1, `{"a\"[[[": [1, "{{{"]}`: 2, `[[[]], {}]`: 3} {
		require.Equal(t, want, pgjson.Depth([]byte(text)), text)
	}
}
