package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSettings_NameEveryVariable: docs/settings.md lists the environment variables that the command line and the
// libraries read, and no others.
func TestSettings_NameEveryVariable(t *testing.T) {
	t.Parallel()
	_, section, found := strings.Cut(read(t, "docs/settings.md"), "\n## Environment variables\n")
	require.True(t, found)
	listed := map[string]bool{}
	for _, line := range strings.Split(section, "\n") {
		if first, rest, isRow := strings.Cut(strings.TrimPrefix(line, "| "), " | "); isRow && rest != "" {
			for _, match := range regexp.MustCompile("`([A-Z_]+)").FindAllStringSubmatch(first, -1) {
				listed[match[1]] = true
			}
		}
	}

	// The names are in the calls that read them, or in lists over which such a call loops.
	name := regexp.MustCompile(`(?:[gG]etenv|LookupEnv|\benv)\("([A-Z_]+)"\)|"(LC_ALL|LC_CTYPE|LANG|PGTASKER_[A-Z_]+)"`)
	reads := map[string]bool{}
	for _, dir := range []string{"cmd", "db", "executor", "messaging", "metrics", "migrate", "relay", "serve", "state", "tasklib", "template", "worker", "workertest", "workflow"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, match := range name.FindAllStringSubmatch(string(text), -1) {
				variable := match[1] + match[2]
				reads[variable] = true
				assert.True(t, listed[variable], "%s reads %s, which docs/settings.md does not list", path, variable)
			}
			return err
		}))
	}
	require.Greater(t, len(reads), 5)
	for variable := range listed {
		assert.True(t, reads[variable], "docs/settings.md lists %s, which nothing reads", variable)
	}
}
