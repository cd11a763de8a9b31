package replaytest

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/jsonschema"
)

// schemaFile describes the documents. Tests run in the folders of their packages, below it.
const schemaFile = "docs/task-export.schema.json"

func readSchema(t testing.TB) jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile(schemaFile)
	for above := ".."; errors.Is(err, fs.ErrNotExist) && len(above) < 30; above += "/.." {
		raw, err = os.ReadFile(above + "/" + schemaFile)
	}
	require.NoError(t, err)
	s, err := jsonschema.Parse(raw)
	require.NoError(t, err)
	return s
}
