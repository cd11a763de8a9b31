package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
)

// recording has the calls of each pgTAP file. It is kept in .cache until the engine changes.
type recording struct {
	Engine string            // a hash of all functions
	Files  map[string]record // by path from the root

	path    string
	present map[string]string // the hash of each file that there is
	sizes   map[string]int
	mu      sync.Mutex
}

// record is one run of a file. A file that is green although a function is mutated makes the same calls as without
// the mutation.
type record struct {
	Text    string // a hash of the file
	Green   bool
	Seconds float64
	Calls   []string // the functions of schema tasker, without inlined functions
	late    bool     // the run was ended
}

// These files test nothing that a function does.
var unrelated = regexp.MustCompile(`^pgtap/(conventions|fixtures|00_fixtures|pgmq)/`)

// readRecording reads the parts of the recording that are valid for the present files and the present engine.
func readRecording(root, engine string) (*recording, error) {
	r := &recording{Files: map[string]record{}, present: map[string]string{}, sizes: map[string]int{}, path: filepath.Join(root, ".cache", "mutate-calls.json")}
	if text, err := os.ReadFile(r.path); err == nil {
		if err := json.Unmarshal(text, r); err != nil || r.Engine != engine {
			clear(r.Files)
		}
	}
	r.Engine = engine
	err := filepath.WalkDir(filepath.Join(root, "pgtap"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".sql" {
			return err
		}
		file, relErr := filepath.Rel(root, path)
		text, err := os.ReadFile(path)
		if !unrelated.MatchString(file) {
			r.present[file], r.sizes[file] = hashOf(text), len(text)
		}
		return errors.Join(relErr, err)
	})
	for file, run := range r.Files {
		if run.Text != r.present[file] {
			delete(r.Files, file)
		}
	}
	return r, err
}

// add records a file's run.
func (r *recording) add(file string, run record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	run.Text = r.present[file]
	if r.Files[file] = run; !run.Green {
		_, _ = fmt.Fprintln(os.Stderr, "mutate: red without a change, so it says nothing:", file)
	}
}

// has tells whether a file is recorded.
func (r *recording) has(file string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.Files[file].Text != ""
}

func (r *recording) save() error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(r.path, text, 0o600)
}

// of returns the green files that call a function.
func (r *recording) of(function string) (files []string) {
	for file, run := range r.Files {
		if run.Green && slices.Contains(run.Calls, function) {
			files = append(files, file)
		}
	}
	return files
}

// seconds is how long a file takes, by its size if it is not recorded.
func (r *recording) seconds(file string) float64 {
	if run, ok := r.Files[file]; ok {
		return run.Seconds
	}
	return float64(r.sizes[file]) / 2000
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:10])
}
