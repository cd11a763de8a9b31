package schema

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Tree is a repository's schema: the contents page, the files that it lists, and the migrations.
type Tree struct {
	Sections   []*Section
	Files      []*File // in the order of the contents page
	Migrations []*Migration

	sourceFindings    []Finding // about db/schema
	migrationFindings []Finding // about the form of db/migrations
	buildGo           string    // the text of executor/build_digest.go
}

// Load reads the tree under the repository's root. Its error is about reading the files. Check finds the mistakes
// inside them.
func Load(root fs.FS) (*Tree, error) {
	t := &Tree{}
	contents, err := fs.ReadFile(root, contentsPath)
	if err != nil {
		return nil, fmt.Errorf("read the contents page: %w", err)
	}
	t.Sections, t.sourceFindings = parseContents(string(contents))
	if err := t.loadFiles(root); err != nil {
		return nil, err
	}
	if text, err := fs.ReadFile(root, buildGoPath); err == nil {
		t.buildGo = string(text)
	}
	return t, t.loadMigrations(root)
}

func (t *Tree) loadFiles(root fs.FS) error {
	report := func(path, message string) {
		t.sourceFindings = append(t.sourceFindings, Finding{Path: path, Message: message})
	}
	found, err := texts(root, schemaDir)
	if err != nil {
		return err
	}
	delete(found, contentsPath)

	listed := map[string]bool{}
	creator := map[string]string{}
	for _, section := range t.Sections {
		for _, name := range section.Paths {
			text, exists := found[name]
			switch {
			case listed[name]:
				report(name, "is listed twice in "+contentsPath)
				continue
			case !exists:
				report(contentsPath, "lists "+name+", which is not there")
				continue
			}
			listed[name] = true
			file, findings := parseFile(name, text)
			t.Files = append(t.Files, file)
			t.sourceFindings = append(t.sourceFindings, findings...)
			for _, object := range file.Objects {
				if object.Kind == "function" && !file.hasDown {
					if other, twice := creator[object.Name]; twice {
						report(name, "creates function "+object.Name+" as "+other+" does: no overloads")
					}
					creator[object.Name] = name
				}
			}
		}
	}
	for name := range found {
		if !listed[name] {
			report(name, "is not listed in "+contentsPath)
		}
	}
	return nil
}

func (t *Tree) loadMigrations(root fs.FS) error {
	found, err := texts(root, migrationsDir)
	if err != nil {
		return err
	}
	for name, text := range found {
		migration, findings := parseMigration(name, text)
		t.Migrations = append(t.Migrations, migration)
		t.migrationFindings = append(t.migrationFindings, findings...)
	}
	slices.SortFunc(t.Migrations, func(a, b *Migration) int { return strings.Compare(a.Path, b.Path) })
	for i := 1; i < len(t.Migrations); i++ {
		if a, b := t.Migrations[i-1], t.Migrations[i]; a.Version == b.Version {
			t.migrationFindings = append(t.migrationFindings, Finding{Path: b.Path, Message: "has the version of " + a.Path})
		}
	}
	return nil
}

// file returns the schema file of that path, or nil.
func (t *Tree) file(name string) *File {
	for _, file := range t.Files {
		if file.Path == name {
			return file
		}
	}
	return nil
}

// texts returns the SQL files below a directory by path. A missing directory has none.
func texts(root fs.FS, dir string) (map[string]string, error) {
	found := map[string]string{}
	err := fs.WalkDir(root, dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".sql" {
			return err
		}
		text, err := fs.ReadFile(root, name)
		found[name] = string(text)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	return found, err
}
