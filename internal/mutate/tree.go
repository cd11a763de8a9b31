package mutate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Function is one function's file.
type Function struct{ Path, Text string }

// Tree is the functions of a schema by name.
type Tree map[string]Function

// ReadTree reads the functions below root/db/schema/functions.
func ReadTree(root string) (Tree, error) {
	tree := Tree{}
	folder := filepath.Join(root, "db", "schema", "functions")
	return tree, filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".sql" {
			return err
		}
		text, err := os.ReadFile(file)
		tree[strings.TrimSuffix(filepath.Base(file), ".sql")] = Function{Path: file, Text: string(text)}
		return err
	})
}

// Room is the folder that a function belongs to, such as kernel/move.
func (f Function) Room() string {
	dir := filepath.ToSlash(strings.TrimSuffix(filepath.Dir(f.Path), string(filepath.Separator)+"private"))
	return path.Join(path.Base(path.Dir(dir)), path.Base(dir))
}

var call = regexp.MustCompile(`tasker\.([a-z_0-9]+)\s*\(`)

// Reach returns the folders of tests that may notice a change of a function, the nearest first. They are room/function
// for the function and all its callers, and room/* for each of their rooms, because a room's tests of no single function
// may call the function as well.
func (t Tree) Reach(name string) (folders []string) {
	met := map[string]bool{}
	callers := t.Callers()
	seen := map[string]bool{name: true}
	for next := []string{name}; len(next) > 0; {
		var further []string
		for _, function := range next {
			room := t[function].Room()
			folders = append(folders, room+"/"+function)
			if !met[room] {
				met[room] = true
				folders = append(folders, room+"/*")
			}
			for _, caller := range callers[function] {
				if !seen[caller] {
					seen[caller] = true
					further = append(further, caller)
				}
			}
		}
		next = further
	}
	return folders
}

// Callers returns the callers of each function.
func (t Tree) Callers() map[string][]string {
	callers := map[string][]string{}
	for _, caller := range slices.Sorted(maps.Keys(t)) {
		for _, found := range call.FindAllStringSubmatch(t[caller].Text, -1) {
			if called := found[1]; called != caller && !slices.Contains(callers[called], caller) {
				callers[called] = append(callers[called], caller)
			}
		}
	}
	return callers
}

// IsSQL tells whether a function is written in SQL, and not in PL/pgSQL.
func (t Tree) IsSQL(name string) bool { return strings.Contains(t[name].Text, "\n  language sql\n") }

// Hash returns a hash that is the same for the same functions.
func (t Tree) Hash() string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(t)) {
		_, _ = fmt.Fprintf(sum, "%s %d\n%s", name, len(t[name].Text), t[name].Text)
	}
	return hex.EncodeToString(sum.Sum(nil)[:10])
}

// With returns SQL that gives a function another text, and notes this text as the result of the migrations. So tests can notice
// only the function's behaviour.
func (Tree) With(text string) string {
	return text + "\nselect from tasker.note_objects();\n"
}
