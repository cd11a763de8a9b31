package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// findTests returns the pgTAP files of paths, or all pgTAP files, in order. Files in pgtap/fixtures are not tests. Files in the
// checkout have paths from root, because people read them more easily.
func findTests(root string, paths []string) ([]string, error) {
	tests := filepath.Join(root, "pgtap")
	if len(paths) == 0 {
		paths = []string{tests}
	}
	var files []string
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && name == filepath.Join(tests, "fixtures"):
				return fs.SkipDir
			case !entry.IsDir() && filepath.Ext(name) == ".sql":
				files = append(files, readable(root, name))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no pgTAP test in %s", strings.Join(paths, ", "))
	}
	return files, nil
}

func readable(root, name string) string {
	relative, err := filepath.Rel(root, name)
	if err != nil || strings.HasPrefix(relative, "..") {
		return name
	}
	return relative
}
