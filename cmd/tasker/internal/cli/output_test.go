package cli

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShow_EscapesControlCharactersInJSON(t *testing.T) {
	t.Parallel()
	value := map[string]string{"name": "a\u0007b\u009bc\u202ed\u2066e ä 😀\n"}
	var out bytes.Buffer
	require.NoError(t, writeJSON(&out, value, "  "))
	require.Equal(t, "{\n  \"name\": \"a\\u0007b\\u009bc\\u202ed\\u2066e ä 😀\\n\"\n}\n", out.String())

	var read map[string]string
	require.NoError(t, json.Unmarshal(out.Bytes(), &read))
	require.Equal(t, value, read, "and it is the same value")
}
