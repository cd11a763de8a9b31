package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	proof      = regexp.MustCompile(`\[([^\]]+)\]\(([^)]+)\)`)
	target     = regexp.MustCompile("`make ([a-z-]+)`")
	guarantee  = regexp.MustCompile(`(?m)^- (.+)$`)
	ourTable   = regexp.MustCompile(`(?m)^\| \| pgtasker \|.*\n\|[-|]+\|\n((?:\|.*\n)+)`)
	guarantees = regexp.MustCompile(`(?s)\n## Guarantees and limits\n(.*?)\n## `)
)

// Each row of docs/claims.md quotes README or docs/comparison.md, and names tests and targets that exist. Each guarantee of README
// and each row of a table in docs/comparison.md that has a column for pgtasker is quoted.
func TestClaims_HaveATestOrACommand(t *testing.T) {
	t.Parallel()
	text := map[string]string{}
	for _, name := range []string{"README.md", "docs/comparison.md", "docs/claims.md", "Makefile"} {
		contents, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		text[name] = string(contents)
	}
	claims := map[string][]string{}
	for section := range strings.SplitSeq(text["docs/claims.md"], "\n## ") {
		page := "docs/comparison.md"
		if strings.HasPrefix(section, "README") {
			page = "README.md"
		}
		for line := range strings.Lines(section) {
			cells := strings.Split(strings.TrimSpace(line), " | ")
			if len(cells) != 2 || cells[0] == "| said" {
				continue
			}
			said := strings.TrimPrefix(cells[0], "| ")
			claims[page] = append(claims[page], said)
			assert.True(t, strings.Contains(flowing(text[page]), said), "docs/claims.md quotes what %s does not say: %s", page, said)
			assert.NoError(t, proven(cells[1], text["Makefile"]), said)
		}
	}
	require.Greater(t, len(claims["README.md"])+len(claims["docs/comparison.md"]), 40)

	// isQuoted fails the test unless a claim stands in a passage of a page.
	isQuoted := func(page, passage string) {
		for _, said := range claims[page] {
			if strings.Contains(passage, said) {
				return
			}
		}
		assert.Fail(t, "docs/claims.md has no test for it", "%s: %s", page, passage)
	}
	section := guarantees.FindStringSubmatch(text["README.md"])
	require.NotNil(t, section)
	bullets := guarantee.FindAllStringSubmatch(strings.ReplaceAll(section[1], "\n  ", " "), -1)
	require.Greater(t, len(bullets), 5)
	for _, bullet := range bullets {
		isQuoted("README.md", bullet[1])
	}
	tables := ourTable.FindAllStringSubmatch(text["docs/comparison.md"], -1)
	require.Greater(t, len(tables), 2)
	for _, table := range tables {
		for row := range strings.Lines(table[1]) {
			isQuoted("docs/comparison.md", row)
		}
	}
}

// flowing returns a text as one line.
func flowing(text string) string { return strings.Join(strings.Fields(text), " ") }

// proven returns an error unless a cell names at least one test or target, and all that it names exist. The text of a link to a
// Go file is the name of a test in the file. TestPages_LinksLeadSomewhere checks that the files exist.
func proven(cell, makefile string) error {
	links, targets := proof.FindAllStringSubmatch(cell, -1), target.FindAllStringSubmatch(cell, -1)
	if len(links)+len(targets) == 0 {
		return fmt.Errorf("no test and no target: %s", cell)
	}
	for _, found := range targets {
		if !strings.Contains(makefile, "\n"+found[1]+":") {
			return fmt.Errorf("no target %s", found[1])
		}
	}
	for _, found := range links {
		switch {
		case strings.HasPrefix(found[2], "../pgtap/"):
		case strings.HasSuffix(found[2], "_test.go"):
			code, err := os.ReadFile(filepath.Join(root, "docs", found[2]))
			if err != nil {
				return err
			}
			if !strings.Contains(string(code), "\nfunc "+found[1]+"(") {
				return fmt.Errorf("no test %s in %s", found[1], found[2])
			}
		default:
			return fmt.Errorf("%s is no test", found[2])
		}
	}
	return nil
}

// The test fails if a named proof no longer exists.
func TestClaims_NameWhatIsThere(t *testing.T) {
	t.Parallel()
	makefile := "\ntest: setup\n"
	for cell, problem := range map[string]string{
		"trust us":                         "no test and no target",
		"`make nothing`":                   "no target nothing",
		"[states](states.md)":              "states.md is no test",
		"[TestNo](../pgtasker_test.go)":    "no test TestNo",
		"`make test`, [x](../pgtap/views)": "",
	} {
		if err := proven(cell, makefile); problem == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, problem)
		}
	}
}
