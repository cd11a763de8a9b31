package schema

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// ListFiles returns the contents page with the missing lines added, or nothing if no line is missing. A moved file keeps its
// place. Another new file comes after the last file of its folder, or else of its room. A file of a new room is not added,
// since a person must choose the section. Lines of files that are gone are removed.
func ListFiles(root fs.FS) ([]Change, error) {
	contents, err := fs.ReadFile(root, contentsPath)
	if err != nil {
		return nil, fmt.Errorf("read the contents page: %w", err)
	}
	found, err := texts(root, schemaDir)
	if err != nil {
		return nil, err
	}
	delete(found, contentsPath)
	page := contentsLines{lines: strings.Split(string(contents), "\n"), there: found}
	for _, file := range slices.Sorted(maps.Keys(found)) {
		page.list(strings.TrimPrefix(file, schemaDir+"/"))
	}
	text := strings.Join(slices.DeleteFunc(page.lines, page.isGone), "\n")
	if text == string(contents) {
		return nil, nil
	}
	return []Change{{Path: contentsPath, Text: text}}, nil
}

type contentsLines struct {
	lines []string
	there map[string]string // the files by path
}

func (c *contentsLines) list(file string) {
	line := `\ir ` + file
	if slices.Contains(c.lines, line) {
		return
	}
	moved := slices.IndexFunc(c.lines, func(old string) bool { return c.isGone(old) && path.Base(included(old)) == path.Base(file) })
	if moved >= 0 {
		c.lines[moved] = line
		return
	}
	for _, folder := range []func(string) string{path.Dir, room} {
		for i, old := range slices.Backward(c.lines) {
			if included(old) != "" && folder(included(old)) == folder(file) {
				c.lines = slices.Insert(c.lines, i+1, line)
				return
			}
		}
	}
}

func (c *contentsLines) isGone(line string) bool {
	_, there := c.there[path.Join(schemaDir, included(line))]
	return included(line) != "" && !there
}

// included returns the file that a line of the contents page names, or "".
func included(line string) string {
	if found := includeLine.FindStringSubmatch(line); found != nil {
		return found[1]
	}
	return ""
}

// room is the folder of a file, without the folder private at its end.
func room(file string) string {
	return strings.TrimSuffix(path.Dir(file), "/private")
}
