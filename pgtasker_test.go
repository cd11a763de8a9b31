package pgtasker_test

import (
	"fmt"
	"io/fs"
	"log"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker"
)

func TestMigrations_AreThoseOfTheRepository(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(pgtasker.Migrations(), "*")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	onDisk, err := fs.Glob(os.DirFS("db/migrations"), "*")
	require.NoError(t, err)
	require.Equal(t, onDisk, names)
	for _, name := range names {
		require.Regexp(t, regexp.MustCompile(`^\d{14}_[a-z0-9_]+\.sql$`), name)
		want, err := os.ReadFile("db/migrations/" + name)
		require.NoError(t, err)
		got, err := fs.ReadFile(pgtasker.Migrations(), name)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}

// Where the dbmate command-line tool is to apply the migrations, a program can write them to a directory.
func ExampleMigrations() {
	dir, err := os.MkdirTemp("", "migrations")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	if err := os.CopyFS(dir, pgtasker.Migrations()); err != nil {
		log.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	fmt.Println(len(files) > 0, err)
	// Output: true <nil>
}
