package modules

import (
	"archive/zip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

// TestLoad_ThisTree requires that every module meets the demands of "go install …@version".
func TestLoad_ThisTree(t *testing.T) {
	t.Parallel()
	root, err := checkout.Root()
	require.NoError(t, err)
	all, err := Load(t.Context(), root)
	require.NoError(t, err)
	version, err := Version(all)
	require.NoError(t, err)

	var tags []string
	for _, m := range all {
		if m.Released() {
			tags = append(tags, m.Tag(version))
		}
	}
	require.Subset(t, tags, []string{version, "cmd/tasker/" + version, "metrics/" + version, "worker/otelworker/" + version, "messaging/rabbitmq/" + version})
	require.NotContains(t, tags, "bench/"+version)
	for _, work := range []string{"go.work", "bench/go.work"} {
		text, err := os.ReadFile(filepath.Join(root, work))
		require.NoError(t, err)
		require.Contains(t, string(text), Prefix+" "+version+" => ", work)
	}
}

// TestRequirements_AreOfOneVersionInTheWorkspace requires that each third-party module has one version, so that its packages
// are compiled only once for the workspace and for each module alone (make verify-modules).
func TestRequirements_AreOfOneVersionInTheWorkspace(t *testing.T) {
	t.Parallel()
	root, err := checkout.Root()
	require.NoError(t, err)
	read := func(into any, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = root
		text, err := cmd.Output()
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, into))
	}
	var work struct{ Use []struct{ DiskPath string } }
	read(&work, "work", "edit", "-json")
	require.Greater(t, len(work.Use), 5)
	versions := map[string]string{}
	for _, use := range work.Use {
		file := filepath.Join(use.DiskPath, "go.mod")
		var mod struct {
			Require []struct{ Path, Version string }
		}
		read(&mod, "mod", "edit", "-json", file)
		for _, r := range mod.Require {
			if versions[r.Path] == "" {
				versions[r.Path] = r.Version
			}
			require.Equal(t, versions[r.Path], r.Version, "%s requires %s: go mod edit -require=…, then make tidy", file, r.Path)
		}
	}
}

func TestLoad_GivesEachFileToItsInnermostModule(t *testing.T) {
	t.Parallel()
	all, err := Load(t.Context(), tree(t))
	require.NoError(t, err)
	files := map[string][]string{}
	for _, m := range all {
		files[m.Path] = m.Files
	}
	require.Equal(t, map[string][]string{
		Prefix:           {".gitignore", "a.go", "go.mod"},
		Prefix + "/sub":  {"c.go", "go.mod", "other/b.go"},
		Prefix + "/sub2": {"go.mod"},
	}, files)
	sub := Module{Path: Prefix + "/sub", Files: append(files[Prefix+"/sub"], "internal/d.go", "e/e_test.go")}
	require.Equal(t, []string{Prefix + "/sub", Prefix + "/sub/other"}, sub.packages())
}

func TestVersion_RefusesWhatCannotBeInstalled(t *testing.T) {
	t.Parallel()
	at := func(dir, version string) Module {
		return Module{Path: Prefix + "/" + dir, Dir: dir, Requires: map[string]string{Prefix: version}}
	}
	version, err := Version([]Module{at("a", "v0.1.0"), at("b", "v0.1.0")})
	require.NoError(t, err)
	require.Equal(t, "v0.1.0", version)

	_, err = Version([]Module{at("a", "v0.1.0"), at("b", "v0.2.0")})
	require.EqualError(t, err, Prefix+"/b requires "+Prefix+" at v0.2.0, but "+Prefix+"/a requires v0.1.0")

	replaced := at("a", "v0.1.0")
	replaced.Replaces = []string{Prefix}
	_, err = Version([]Module{replaced})
	require.ErrorContains(t, err, "a/go.mod replaces "+Prefix)

	_, err = Version([]Module{{Path: Prefix}})
	require.ErrorContains(t, err, "no module requires")
}

func TestPack_WritesAProxy(t *testing.T) {
	t.Parallel()
	root, dir := tree(t), t.TempDir()
	all, err := Load(t.Context(), root)
	require.NoError(t, err)
	require.NoError(t, Pack(root, dir, "v0.1.0", all))

	place := filepath.Join(dir, filepath.FromSlash(Prefix), "sub", "@v")
	list, err := os.ReadFile(filepath.Join(place, "list"))
	require.NoError(t, err)
	require.Equal(t, "v0.1.0\n", string(list))
	archive, err := zip.OpenReader(filepath.Join(place, "v0.1.0.zip"))
	require.NoError(t, err)
	defer func() { require.NoError(t, archive.Close()) }()
	require.Len(t, archive.File, 3)
	require.Equal(t, Prefix+"/sub@v0.1.0/c.go", archive.File[0].Name)
	file, err := archive.File[0].Open()
	require.NoError(t, err)
	text, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Equal(t, "package c\n", string(text))
}

func TestWithoutOwn_KeepsTheSumsOfOthers(t *testing.T) {
	t.Parallel()
	require.Equal(t, "example.com/x v1 h1:a\n"+Prefix+"x v1 h1:d\n", withoutOwn(
		"example.com/x v1 h1:a\n"+Prefix+" v0.1.0 h1:b\n"+Prefix+"/sub v0.1.0/go.mod h1:c\n"+Prefix+"x v1 h1:d\n"))
}

func TestDifference_ListsLinesOfOneSide(t *testing.T) {
	t.Parallel()
	require.Equal(t, "-b\n+c\n", difference("a\nb\n", "a\nc\n"))
}

// tree is a repository with three modules. The name of the last module begins like another module's name.
func tree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		".gitignore":     "*.log\n",
		"a.go":           "package a\n",
		"a.log":          "not tracked",
		"go.mod":         "module " + Prefix + "\n",
		"sub/c.go":       "package c\n",
		"sub/go.mod":     "module " + Prefix + "/sub\n",
		"sub2/go.mod":    "module " + Prefix + "/sub2\n",
		"sub/other/b.go": "package b\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	out, err := exec.CommandContext(t.Context(), "git", "init", "-q", root).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return root
}

func TestShareCache_SharesWhatOthersHaveReleased(t *testing.T) {
	t.Parallel()
	shared, own := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	others := []string{"example.com/x@v1.0.0", "github.com/a/b@v1.0.0", "github.com/pgtaskers/c@v1.0.0"}
	for _, part := range []string{"", "cache/download"} {
		for _, name := range append([]string{Prefix + "@v0.1.0", Prefix + "/metrics@v0.1.0"}, others...) {
			require.NoError(t, os.MkdirAll(filepath.Join(shared, part, filepath.FromSlash(name)), 0o755))
		}
	}
	require.NoError(t, shareCache(shared, own))
	for _, part := range []string{"", "cache/download"} {
		for _, name := range others {
			require.DirExists(t, filepath.Join(own, part, filepath.FromSlash(name)))
		}
		require.NoDirExists(t, filepath.Join(own, part, filepath.FromSlash(Prefix+"@v0.1.0")))
		require.NoDirExists(t, filepath.Join(own, part, filepath.FromSlash(Prefix+"/metrics@v0.1.0")))
	}
	require.NoError(t, shareCache(filepath.Join(shared, "none"), filepath.Join(own, "none")), "a machine that has no cache yet")
}
