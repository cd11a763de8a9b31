package main

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// function is one function's file.
type function struct{ path, text string }

// functionTree is the functions of a schema by name.
type functionTree map[string]function

// readFunctions reads the functions below root/db/schema/functions.
func readFunctions(root string) (functionTree, error) {
	tree := functionTree{}
	folder := filepath.Join(root, "db", "schema", "functions")
	return tree, filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".sql" {
			return err
		}
		text, err := os.ReadFile(file)
		tree[strings.TrimSuffix(filepath.Base(file), ".sql")] = function{path: file, text: string(text)}
		return err
	})
}

// room is the folder that a function belongs to, such as kernel/move.
func (f function) room() string {
	dir := filepath.ToSlash(strings.TrimSuffix(filepath.Dir(f.path), string(filepath.Separator)+"private"))
	return path.Join(path.Base(path.Dir(dir)), path.Base(dir))
}

var call = regexp.MustCompile(`tasker\.([a-z_0-9]+)\s*\(`)

// reach returns the folders of tests that may notice a change of a function, the nearest first. The folders are room/function
// for the function and for all its callers. For each of these rooms reach also returns room/*, because tests of the whole room
// may call the function, too.
func (t functionTree) reach(name string) (folders []string) {
	met := map[string]bool{}
	callers := t.callers()
	seen := map[string]bool{name: true}
	for next := []string{name}; len(next) > 0; {
		var further []string
		for _, name := range next {
			room := t[name].room()
			folders = append(folders, room+"/"+name)
			if !met[room] {
				met[room] = true
				folders = append(folders, room+"/*")
			}
			for _, caller := range callers[name] {
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

// callers returns the callers of each function.
func (t functionTree) callers() map[string][]string {
	callers := map[string][]string{}
	for _, caller := range slices.Sorted(maps.Keys(t)) {
		for _, found := range call.FindAllStringSubmatch(t[caller].text, -1) {
			if called := found[1]; called != caller && !slices.Contains(callers[called], caller) {
				callers[called] = append(callers[called], caller)
			}
		}
	}
	return callers
}
