package upgradetest

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/schema"
)

const root = "../../.."

// later is a migration that is newer than the migrations of the tree.
type later struct {
	version, up, down string
}

// edits change the tree's schema: the text of a file by its path below db/schema, from its text now ("" for a new file).
type edits map[string]func(text string) string

// compose composes the migration of these edits and of table changes written by hand, with the tree's migrations as a release.
func compose(t testing.TB, edits edits, handUp, handDown string) later {
	t.Helper()
	tree, err := treeFiles()
	require.NoError(t, err)
	files := maps.Clone(tree)
	release := schema.Release{Tag: "v0.1.0", Migrations: map[string]string{}}
	for name, file := range files {
		if strings.HasPrefix(name, "db/migrations/") {
			release.Migrations[name] = string(file.Data)
		}
	}
	for name, edit := range edits {
		name = path.Join("db/schema", name)
		text := ""
		if file, ok := files[name]; ok {
			text = string(file.Data)
		}
		edited := edit(text)
		require.NotEqual(t, text, edited, "%s is edited", name)
		delete(files, name)
		if edited != "" {
			files[name] = &fstest.MapFile{Data: []byte(edited)}
		}
	}
	edited, err := schema.Load(files)
	require.NoError(t, err)
	changes, err := schema.ComposeNext(edited, []schema.Release{release}, "later", time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	at := slices.IndexFunc(changes, func(c schema.Change) bool { return path.Dir(c.Path) == "db/migrations" })
	require.GreaterOrEqual(t, at, 0, "a migration is composed")
	text := changes[at].Text
	if handUp != "" {
		// Hand-written statements stand in the place that the composition made for them.
		text = strings.NewReplacer(
			"-- Table changes: alter table …\n", handUp+"\n", "-- What undoes the table changes of the up part.\n", handDown+"\n",
		).Replace(text)
		require.Contains(t, text, handUp)
		require.Contains(t, text, handDown)
	}
	up, down, found := strings.Cut(text, "-- migrate:down\n")
	require.True(t, found)
	_, up, found = strings.Cut(up, "-- migrate:up\n")
	require.True(t, found)
	version, _, _ := strings.Cut(path.Base(changes[at].Path), "_")
	return later{version, up, down}
}

var treeFiles = sync.OnceValues(readTree)

// readTree returns the files that migrations are composed from.
func readTree() (fstest.MapFS, error) {
	files := fstest.MapFS{}
	for _, dir := range []string{"db/schema", "db/migrations", "executor"} {
		err := fs.WalkDir(os.DirFS(root), dir, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || dir == "executor" && name != "executor/build_digest.go" {
				return err
			}
			data, err := os.ReadFile(path.Join(root, name))
			files[name] = &fstest.MapFile{Data: data}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
