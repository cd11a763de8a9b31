package seal_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/codec"
	"github.com/pgtasker/pgtasker/internal/seal"
)

func keys(t testing.TB) *codec.Keys {
	t.Helper()
	k, err := codec.NewKeys("k1", map[string][]byte{"k1": []byte("0123456789abcdef0123456789abcdef")})
	require.NoError(t, err)
	return k
}

var task = uuid.MustParse("01a22341-3f7c-78d0-9719-35fcbdde0000")

func TestOpen_FindsEnvelopesInValues(t *testing.T) {
	t.Parallel()
	k := keys(t)
	sealed, err := seal.Encode(t.Context(), k, seal.Of("result", task, "a"), json.RawMessage(`{"card":"zebra"}`))
	require.NoError(t, err)
	failed, err := seal.Error(t.Context(), k, seal.Of("error", task, "b"), "*bank.Error", "no zebra")
	require.NoError(t, err)
	quoted, err := json.Marshal(failed)
	require.NoError(t, err)
	whole := `{"by": "signal", "all": [` + string(sealed) + `, 7], "error": ` + string(quoted) + `}`
	require.NotContains(t, whole, "zebra")
	var places []string
	opened, err := seal.Open(t.Context(), k, json.RawMessage(whole), func(at seal.Place, top bool) error {
		require.False(t, top)
		places = append(places, at.String())
		return nil
	})
	require.NoError(t, err)
	require.JSONEq(t, `{"by": "signal", "all": [{"card":"zebra"}, 7], "error": "no zebra"}`, string(opened))
	require.ElementsMatch(t, []string{"result " + task.String() + " a", "error " + task.String() + " b"}, places)

	refused := errors.New("not here")
	_, err = seal.Open(t.Context(), k, json.RawMessage(whole), func(seal.Place, bool) error { return refused })
	require.ErrorIs(t, err, refused)
	require.ErrorIs(t, err, codec.ErrKey)
}

func TestError_HasItsClassAndAHashOfWhatDoesNotVary(t *testing.T) {
	t.Parallel()
	k := keys(t)
	head := func(class, text string) string {
		sealed, err := seal.Error(t.Context(), k, seal.Of("error", task, "b"), class, text)
		require.NoError(t, err)
		require.True(t, seal.IsError(sealed))
		first, _, _ := strings.Cut(sealed, "\n")
		require.Regexp(t, `^encrypted \S+ [a-p]{16}$`, first)
		return first
	}
	one := head("*bank.Error", `card 4111 of "ann" is stolen`)
	require.Equal(t, one, head("*bank.Error", `card 4222 of "bob" is stolen`), "numbers and quoted text vary")
	require.NotEqual(t, one, head("*bank.Error", `card 4111 of "ann" is blocked`))
	require.NotEqual(t, one, head("*other.Error", `card 4111 of "ann" is stolen`))
	long, err := seal.Error(t.Context(), k, seal.Of("error", task, "b"), "e", strings.Repeat("漢", 100_000))
	require.NoError(t, err)
	require.Less(t, len(long), 65536)
	own, err := seal.Error(t.Context(), k, seal.Of("error", task, "b"), "e", seal.OwnError+"no key")
	require.NoError(t, err)
	require.Equal(t, seal.OwnError+"no key", own)
}

func TestContext_HasOneSpelling(t *testing.T) {
	t.Parallel()
	k := keys(t)
	hash := func(text string) string {
		sealed, err := seal.EncodeContext(t.Context(), k, seal.Context("shop", "claim"), json.RawMessage(text), []string{"customer"})
		require.NoError(t, err)
		var shown struct {
			Pgtasker struct {
				Hash string `json:"hash"`
			} `json:"pgtasker"`
			Customer int `json:"customer"`
		}
		require.NoError(t, json.Unmarshal(sealed, &shown))
		require.Equal(t, 7, shown.Customer)
		return shown.Pgtasker.Hash
	}
	require.Equal(t, hash(`{"customer": 7, "card": "<a&b>"}`), hash(`{ "card":"<a&b>","customer":7}`))
	require.NotEqual(t, hash(`{"customer": 7, "card": "a"}`), hash(`{"customer": 7, "card": "b"}`))
}

// FuzzOpen reads hostile text. Open may refuse the text. It must not panic, and it must not return a value if the text has no
// ciphertext of the key.
func FuzzOpen(f *testing.F) {
	k, err := codec.NewKeys("k1", map[string][]byte{"k1": []byte("0123456789abcdef0123456789abcdef")})
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		`{"pgtasker": {"alg": "AES-GCM", "kid": "k1", "for": "context shop/claim", "ct": ""}}`,
		`{"pgtasker": {"alg": "AES-GCM", "kid": "k1", "for": "context", "ct": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}}`,
		`{"pgtasker": {"alg": "x", "kid": "", "for": 7, "ct": null}}`, `[{"pgtasker": {}}, "encrypted e\nDETAIL: {\"pgtasker\": {}}"]`,
		`{"pgtasker": {"alg": "AES-GCM", "kid": "k2", "for": "` + strings.Repeat("\\u0000", 100) + `", "ct": "AAAA", "more": 1}}`,
		strings.Repeat(`[`, 1000) + `{"pgtasker"` + strings.Repeat(`]`, 1000), `"pgtasker"`, `{"a": "pgtasker"`,
		"encrypted x\nDETAIL: {\"pgtasker\": {\"alg\": \"AES-GCM\", \"kid\": \"k1\", \"for\": \"error\", \"ct\": \"AAAA\"}}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		opened, err := seal.Open(context.Background(), k, json.RawMessage(text), nil)
		if err == nil && string(opened) != text {
			t.Fatalf("%q became %q without a ciphertext of the key", text, opened)
		}
		if read, err := seal.OpenError(context.Background(), k, text, nil); err == nil && read != text {
			t.Fatalf("%q became %q", text, read)
		}
		_, _, _ = seal.Shown(json.RawMessage(text), ""), seal.ShownErrors(text, ""), seal.Is([]byte(text))
	})
}

// TestVectors reads the envelopes of the clients in Go, Python and TypeScript. The clients' tests read the same file.
func TestVectors_OfEveryLanguageAreRead(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/envelopes.json")
	require.NoError(t, err)
	var vectors []struct {
		By          string          `json:"by"`
		Plain       json.RawMessage `json:"plain"`
		Value       json.RawMessage `json:"value"`
		Error       string          `json:"error"`
		SealedError string          `json:"sealed_error"`
	}
	require.NoError(t, json.Unmarshal(text, &vectors))
	require.Len(t, vectors, 3)
	for _, v := range vectors {
		opened, err := seal.Open(t.Context(), keys(t), v.Value, nil)
		require.NoError(t, err, v.By)
		require.JSONEq(t, string(v.Plain), string(opened), v.By)
		read, err := seal.OpenError(t.Context(), keys(t), v.SealedError, nil)
		require.NoError(t, err, v.By)
		require.Equal(t, v.Error, read, v.By)
	}
}
