package checkout

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoot_IsFoundFromAPackageOfTheModule(t *testing.T) {
	root, err := Root()
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(root, "internal", "pgtest", "checkout", "checkout.go"))
}

func TestRoot_SkipsTheGoModOfANestedModule(t *testing.T) {
	t.Parallel()
	outer := t.TempDir()
	inner := filepath.Join(outer, "bench", "deep")
	require.NoError(t, os.MkdirAll(inner, 0o755))
	writeFile(t, filepath.Join(outer, "go.mod"), module+"\n\ngo 1.26\n")
	writeFile(t, filepath.Join(outer, "bench", "go.mod"), module+"/bench\n")

	root, err := rootAbove(inner)
	require.NoError(t, err)
	require.Equal(t, outer, root)
}

func TestRoot_OutsideACheckoutSaysSo(t *testing.T) {
	t.Parallel()
	_, err := rootAbove(t.TempDir())
	require.ErrorContains(t, err, "run inside a checkout of pgtasker")
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
