package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`^#+ (.+)$`)
	code    = regexp.MustCompile("`[^`\n]*`")
)

// The test does not check links to other sites.
func TestPages_LinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	anchors := map[string]map[string]bool{}
	links := 0
	for _, path := range markdown(t) {
		for _, l := range linksOf(t, path) {
			file, anchor, anchored := strings.Cut(l, "#")
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), file)
			}
			links++
			_, err := os.Stat(target)
			if !assert.NoError(t, err, "%s links to %s", path, l) || !anchored {
				continue
			}
			if anchors[target] == nil {
				anchors[target] = anchorsOf(t, target)
			}
			assert.True(t, anchors[target][anchor], "%s links to %s: there is no such heading", path, l)
		}
	}
	require.Greater(t, links, 100)
}

// Every page of docs/ is in its table of contents.
func TestPages_AreInTheContents(t *testing.T) {
	t.Parallel()
	contents := map[string]bool{}
	for _, l := range linksOf(t, filepath.Join(root, "docs/README.md")) {
		contents[filepath.Join(root, "docs", l)] = true
	}
	for _, path := range markdown(t) {
		if strings.HasPrefix(path, filepath.Join(root, "docs")+"/") && filepath.Base(path) != "README.md" {
			assert.True(t, contents[path], "docs/README.md does not list %s", path)
		}
	}
}

// markdown are the project's pages, without the pages of downloaded tools.
func markdown(t *testing.T) (paths []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return fs.SkipDir
		case filepath.Ext(path) == ".md":
			paths = append(paths, path)
		}
		return nil
	}))
	return paths
}

// prose is a page without its fenced blocks.
func prose(t *testing.T, path string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	fenced := false
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if !fenced {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return lines
}

func linksOf(t *testing.T, path string) (links []string) {
	t.Helper()
	for _, line := range prose(t, path) {
		for _, match := range link.FindAllStringSubmatch(code.ReplaceAllString(line, ""), -1) {
			if !strings.Contains(match[1], "://") {
				links = append(links, match[1])
			}
		}
	}
	return links
}

// anchorsOf are the names that GitHub gives to a page's headings.
func anchorsOf(t *testing.T, path string) map[string]bool {
	t.Helper()
	anchors := map[string]bool{}
	for _, line := range prose(t, path) {
		if match := heading.FindStringSubmatch(line); match != nil {
			anchors[slug(code.ReplaceAllStringFunc(match[1], func(s string) string { return strings.Trim(s, "`") }))] = true
		}
	}
	return anchors
}

func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}
