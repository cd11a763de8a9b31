package cli

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"
)

// folderEvery is how often a folder of templates is read. Polling names and times costs little, works on every system and in
// every mounted folder, and needs no library.
const folderEvery = 200 * time.Millisecond

// fileState shows whether a file has changed.
type fileState struct {
	changed time.Time
	size    int64
}

// templateFolder finds the files of a folder that have changed since they were last passed to a caller.
type templateFolder struct {
	path  string
	seen  map[string]fileState // at the last read
	given map[string]fileState // when they were last applied
	again map[string]bool      // refused files, which are tried again when any file changes
}

func newTemplateFolder(path string) *templateFolder {
	return &templateFolder{path: path, seen: map[string]fileState{}, given: map[string]fileState{}, again: map[string]bool{}}
}

// watch calls apply with the changed files and the removed files, until ctx ends or apply fails. A file must have the same
// state at two reads, so that a file that is still being written waits for a later read. apply returns the files that it
// refused, which it gets again when any file changes.
func (f *templateFolder) watch(ctx context.Context, apply func(changed, removed []string) (refused []string, err error)) error {
	tick := time.NewTicker(folderEvery)
	defer tick.Stop()
	f.seen = f.read()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if changed, removed := f.look(); len(changed)+len(removed) > 0 {
			refused, err := apply(changed, removed)
			if err != nil || ctx.Err() != nil {
				return err
			}
			clear(f.again)
			for _, file := range refused {
				f.again[file] = true
			}
		}
	}
}

// look returns the files that have changed and settled, and the removed files.
func (f *templateFolder) look() (changed, removed []string) {
	now := f.read()
	settled := map[string]bool{}
	for file, state := range now {
		if before, known := f.seen[file]; known && before == state && f.given[file] != state {
			settled[file] = true
		}
	}
	f.seen = now
	for file := range f.given {
		if _, there := now[file]; !there {
			removed = append(removed, file)
			delete(f.given, file)
			delete(f.again, file)
		}
	}
	if len(settled)+len(removed) == 0 {
		return nil, nil
	}
	for file := range f.again {
		settled[file] = true
	}
	changed = slices.Sorted(maps.Keys(settled))
	for _, file := range changed {
		f.given[file] = now[file]
	}
	slices.Sort(removed)
	return changed, removed
}

// read returns the state of each template file. A folder that cannot be read, for example while it is being replaced, counts as
// empty.
func (f *templateFolder) read() map[string]fileState {
	states := map[string]fileState{}
	files, err := templateFiles(f.path)
	if err != nil {
		return states
	}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Mode().Type()&fs.ModeType == 0 {
			states[file] = fileState{info.ModTime(), info.Size()}
		}
	}
	return states
}
