package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLinters_FindWhatTestdataSays checks that each linter works. It runs the program that make lint has compiled.
func TestLinters_FindWhatTestdataSays(t *testing.T) {
	t.Parallel()
	tool, err := filepath.Abs("../../.cache/bin/lint")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module found\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "found.go"))
	if err != nil {
		t.Fatal(err)
	}
	want, named := []string{"found.go:1 revive"}, map[string]bool{} // no package comment
	for i, line := range strings.Split(string(text), "\n") {
		if _, list, found := strings.Cut(line, "// want "); found {
			for _, name := range strings.Fields(list) {
				want = append(want, "found.go:"+strconv.Itoa(i+1)+" "+name)
				named[name] = true
			}
		}
	}
	for _, l := range linters() {
		if !named[l.name] {
			t.Errorf("testdata has nothing for %s", l.name)
		}
	}

	vet := exec.CommandContext(t.Context(), "go", "vet", "-vettool="+tool, ".")
	vet.Dir, vet.Env = dir, append(os.Environ(), "GOWORK=off")
	out, err := vet.CombinedOutput()
	if err == nil {
		t.Error("go vet succeeds")
	}
	// With -trimpath go vet may repeat its output from the directory of an earlier run.
	var got []string
	for _, found := range regexp.MustCompile(`(?m)^(?:\S*/)?(\w+\.go:\d+):\d+: .* \((\w+)\)$`).FindAllStringSubmatch(string(out), -1) {
		got = append(got, found[1]+" "+found[2])
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, slices.Compact(got)) {
		t.Errorf("want\n%s\ngot\n%s\nfrom\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"), out)
	}
}
