package schema

import "slices"

// history is the state of the schema files after the migrations so far.
type history struct {
	newest map[string]version
}

// version is the newest copy of a schema file.
type version struct {
	*File
	at int // its place among all copies, in the order of the migrations
}

// newHistory reads the up parts of migrations, which are in order.
func newHistory(migrations []*Migration) history {
	h := history{newest: map[string]version{}}
	at := 0
	for _, migration := range migrations {
		for _, chunk := range migration.Up.Chunks {
			at++
			if chunk.Dropped {
				delete(h.newest, chunk.Path)
				continue
			}
			file, _ := parseFile(chunk.Path, chunk.Text)
			h.newest[chunk.Path] = version{file, at}
		}
	}
	return h
}

// previous returns the newest copy of a file, by its path. If the file has been moved, it returns the copy of a path
// that is gone and creates the same object. It returns nil for a new file.
func (h history) previous(t *Tree, file *File) *version {
	if found, ok := h.newest[file.Path]; ok {
		return &found
	}
	var moved *version
	for name, found := range h.newest {
		if t.file(name) == nil && file.creates(found.File) && (moved == nil || moved.at < found.at) {
			moved = &found
		}
	}
	return moved
}

// gone returns the copies of replaceable files that were deleted from db/schema and not moved, the newest copy first.
func (h history) gone(t *Tree) []version {
	var gone []version
	for name, found := range h.newest {
		if t.file(name) != nil || !found.Replaceable() {
			continue
		}
		if moved := slices.ContainsFunc(t.Files, func(file *File) bool { return file.creates(found.File) }); !moved {
			gone = append(gone, found)
		}
	}
	slices.SortFunc(gone, newestFirst)
	return gone
}

func newestFirst(a, b version) int { return b.at - a.at }
