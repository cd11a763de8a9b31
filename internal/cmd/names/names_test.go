package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

// most is how many exported names there may be outside the generated packages. Every name is a promise: lower the number
// when names go, and raise it only for a name that its users need.
const most = 631

func TestFace_IsTheOneThatIsWrittenDown(t *testing.T) {
	t.Parallel()
	root, err := checkout.Root()
	require.NoError(t, err)
	rows, err := walk(root)
	require.NoError(t, err)
	want, err := os.ReadFile(filepath.Join(root, golden))
	require.NoError(t, err)
	is := strings.Split(text(rows), "\n")
	require.Equal(t, strings.Split(string(want), "\n"), is,
		"exported names have changed: if they are meant to, run go run ./internal/cmd/names -update")
	require.LessOrEqual(t, outside(rows), most, "more exported names than wanted")
}
