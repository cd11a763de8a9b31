// Package schematest reads the small trees that package schema and package verify are tested with.
package schematest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/schema"
)

// Case is a tree that differs from the tree of testdata/base. A case is a directory with files laid over the base,
// and case.txt, which lists further differences:
//
//	released             the migrations of testdata/base are in release v0.1.0
//	delete <path>        the file of testdata/base is not there
//	compose <name>       the name of the migration
type Case struct {
	Dir      string
	Files    fstest.MapFS
	Releases []schema.Release
	Name     string // of the migration to be composed, empty for the initial migrations
}

// Base returns the tree of testdata/base, which is in order.
func Base(t testing.TB, testdata string) Case {
	t.Helper()
	return Case{Files: readFiles(t, filepath.Join(testdata, "base"))}
}

// Release puts the tree's migrations into release v0.1.0.
func (c *Case) Release() {
	c.Releases = []schema.Release{{Tag: "v0.1.0", Migrations: Migrations(c.Files)}}
}

// Cases returns the cases below a directory of testdata.
func Cases(t testing.TB, testdata, kind string) []Case {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(testdata, kind))
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	var all []Case
	for _, entry := range entries {
		c := Base(t, testdata)
		c.Dir = filepath.Join(testdata, kind, entry.Name())
		c.read(t)
		all = append(all, c)
	}
	return all
}

func (c *Case) read(t testing.TB) {
	t.Helper()
	base := Case{Files: maps.Clone(c.Files)}
	own := readFiles(t, c.Dir)
	require.Contains(t, own, "case.txt", c.Dir)
	for name, file := range own {
		if strings.HasPrefix(name, "db/") {
			c.Files[name] = file
		}
	}
	for line := range strings.Lines(string(own["case.txt"].Data)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "released":
			base.Release()
			c.Releases = base.Releases
		case "delete":
			require.Contains(t, base.Files, rest, c.Dir)
			delete(c.Files, rest)
		case "compose":
			c.Name = rest
		default:
			require.Fail(t, "unknown line", "%s: %q", c.Dir, line)
		}
	}
}

// Compose composes the case's migrations: the initial migrations, or the migration that the case names.
func (c Case) Compose(t testing.TB) ([]schema.Change, error) {
	t.Helper()
	if c.Name == "" {
		return schema.ComposeInitial(c.Load(t), c.Releases)
	}
	return schema.ComposeNext(c.Load(t), c.Releases, c.Name, time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC))
}

// Changed returns the case with the changes applied.
func (c Case) Changed(changes []schema.Change) Case {
	texts := map[string]string{}
	for _, change := range changes {
		texts[change.Path] = change.Text
	}
	return c.With(texts)
}

// HasWant says whether the case holds the expected texts.
func (c Case) HasWant() bool {
	_, err := os.Stat(filepath.Join(c.Dir, "want"))
	return err == nil
}

// Want returns the texts below want in the case's directory, by path.
func (c Case) Want(t testing.TB) map[string]string {
	t.Helper()
	return texts(readFiles(t, filepath.Join(c.Dir, "want")))
}

// RequireWant compares texts by path with the texts below want in the case's directory, or writes them there.
func (c Case) RequireWant(t testing.TB, write bool, got map[string]string) {
	t.Helper()
	if write {
		require.NoError(t, os.RemoveAll(filepath.Join(c.Dir, "want")))
		for name, text := range got {
			file := filepath.Join(c.Dir, "want", filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
	}
	require.Equal(t, c.Want(t), got)
}

// With returns the case with files changed: a text by path, empty for a file that is removed.
func (c Case) With(changes map[string]string) Case {
	c.Files = maps.Clone(c.Files)
	for name, text := range changes {
		delete(c.Files, name)
		if text != "" {
			c.Files[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return c
}

// Load reads the case's tree.
func (c Case) Load(t testing.TB) *schema.Tree {
	t.Helper()
	tree, err := schema.Load(c.Files)
	require.NoError(t, err)
	return tree
}

// Migrations returns the texts of a tree's migrations by path.
func Migrations(files fstest.MapFS) map[string]string {
	all := texts(files)
	maps.DeleteFunc(all, func(name, _ string) bool { return !strings.HasPrefix(name, "db/migrations/") })
	return all
}

func texts(files fstest.MapFS) map[string]string {
	found := map[string]string{}
	for name, file := range files {
		found[name] = string(file.Data)
	}
	return found
}

// readFiles reads all files below a directory that exists.
func readFiles(t testing.TB, dir string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	require.NoError(t, err)
	return files
}
