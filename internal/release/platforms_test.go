package release

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/modules"
	"github.com/pgtasker/pgtasker/internal/pgtest/checkout"
)

// TestPlatforms_HaveEveryNameThatIsUsed: A name in a file for one system is missing on other systems. To compile for each
// system takes minutes the first time, so the test only resolves the names of our own packages.
func TestPlatforms_HaveEveryNameThatIsUsed(t *testing.T) {
	t.Parallel()
	root, err := checkout.Root()
	require.NoError(t, err)
	for _, platform := range Platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		if goarch != "amd64" { // No file is for one architecture only.
			continue
		}
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", `{{.ImportPath}} {{.Name}} {{.Dir}} {{join .GoFiles ","}}`, "./cmd/tasker")
		list.Dir, list.Env = root, append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
		out, err := list.Output()
		require.NoError(t, err)

		known, others, own, missing := imported{"unsafe": types.Unsafe}, map[string]bool{}, 0, []string{}
		checker := types.Config{Importer: known, Error: func(err error) {
			if _, name, undefined := strings.Cut(err.Error(), "undefined: "); undefined {
				of, _, qualified := strings.Cut(name, ".")
				if !qualified || !others[of] {
					missing = append(missing, err.Error())
				}
			}
		}}
		for line := range strings.Lines(string(out)) {
			words := strings.SplitN(strings.TrimSpace(line), " ", 4)
			path, name, dir := words[0], words[1], words[2]
			if !strings.HasPrefix(path, modules.Prefix) {
				known[path], others[name] = types.NewPackage(path, name), true // a package without names
				continue
			}
			own++
			fset, files := token.NewFileSet(), []*ast.File{}
			for file := range strings.SplitSeq(words[3], ",") {
				parsed, err := parser.ParseFile(fset, filepath.Join(dir, file), nil, parser.SkipObjectResolution)
				require.NoError(t, err)
				files = append(files, parsed)
				for _, spec := range parsed.Imports {
					if spec.Name != nil && !strings.HasPrefix(spec.Path.Value, `"`+modules.Prefix) {
						others[spec.Name.Name] = true
					}
				}
			}
			known[path], _ = checker.Check(path, fset, files, nil) // The checker reports each error.
		}
		require.Greater(t, own, 40)
		require.Empty(t, missing, platform)
	}
}

// imported has packages by path. "go list" lists a package after its imports.
type imported map[string]*types.Package

// Import implements [types.Importer].
func (i imported) Import(path string) (*types.Package, error) {
	if found := i[path]; found != nil {
		found.MarkComplete()
		return found, nil
	}
	return nil, errors.New("is not listed before")
}
