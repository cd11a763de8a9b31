package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// file is a migration of this program. Each part begins with the line that names the part.
type file struct {
	version, name string
	up, down      string
}

const (
	upLine   = "-- migrate:up"
	downLine = "-- migrate:down"
)

// directive finds every line that begins a part for dbmate.
var directive = regexp.MustCompile(`(?m)^--\s*migrate:(up|down)\b.*$`)

// readFiles returns the migrations in order. It supports the subset of dbmate's format that this project's migrations use: one up part,
// then one down part, without options.
func readFiles(files fs.FS) ([]file, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	read := make([]file, 0, len(names))
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		f, err := parseFile(name, string(text))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		read = append(read, f)
	}
	return read, nil
}

func parseFile(fileName, text string) (file, error) {
	version, name, found := strings.Cut(strings.TrimSuffix(fileName, ".sql"), "_")
	if !found {
		return file{}, errors.New("the file is not named <version>_<name>.sql")
	}
	parts := directive.FindAllStringIndex(text, -1)
	if len(parts) != 2 || text[parts[0][0]:parts[0][1]] != upLine || text[parts[1][0]:parts[1][1]] != downLine {
		return file{}, fmt.Errorf("a migration has one line %q and then one line %q", upLine, downLine)
	}
	up, down := parts[0][0], parts[1][0]
	for line := range strings.Lines(text[:up]) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--") {
			return file{}, fmt.Errorf("a statement precedes %q", upLine)
		}
	}
	return file{version: version, name: name, up: text[up:down], down: text[down:]}, nil
}
