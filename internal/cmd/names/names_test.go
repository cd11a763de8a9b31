package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

// later is the file of names that later issues have added: issue, package, kind, name.
const later = "later.tsv"

const (
	// most is the largest number of exported names outside the generated packages, besides the names in later.tsv. Every name
	// is a promise. A name that an issue needs goes to later.tsv, with the number of the issue.
	most = 600
	// mostLater is the number of names that the later issues may add together.
	mostLater = 120
)

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

	names := map[string]bool{}
	for _, r := range rows {
		names[strings.Join([]string{r.pkg, r.kind, r.name}, "\t")] = true
	}
	list, err := os.ReadFile(later)
	require.NoError(t, err)
	stated := strings.Split(strings.TrimSpace(string(list)), "\n")
	for _, line := range stated {
		issue, name, _ := strings.Cut(line, "\t")
		require.Regexp(t, "^[0-9]+$", issue)
		require.True(t, names[name], "%s has a name that is not there: %s", later, name)
	}
	require.LessOrEqual(t, len(stated), mostLater, "the later issues state more names than wanted")
	require.LessOrEqual(t, outside(rows)-len(stated), most, "more exported names than wanted")
}
