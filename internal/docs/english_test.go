package docs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pronouns are words that replace the name of a subject, and the semicolon, which joins two thoughts.
var pronouns = []struct {
	name string
	find *regexp.Regexp
}{
	{"what", regexp.MustCompile(`(?i)\bwhat\b`)},
	{"those that", regexp.MustCompile(`(?i)\bthose (that|of|who|which)\b`)},
	{"semicolons", regexp.MustCompile(`;`)},
}

// limit is the largest number of each pronoun in 10,000 words of a folder's prose. testdata/english.txt has the limits. The
// goals are 15, 2 and 15. A folder that misses the goals has its present rates as limits, so that the rates can only fall.
type limit struct {
	folder string
	most   [3]float64
}

func readLimits(t *testing.T) (limits []limit) {
	t.Helper()
	text, err := os.ReadFile("testdata/english.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		var l limit
		_, err := fmt.Sscan(line, &l.folder, &l.most[0], &l.most[1], &l.most[2])
		require.NoError(t, err, line)
		limits = append(limits, l)
	}
	return limits
}

func TestEnglish_TheSubjectIsNamed(t *testing.T) {
	t.Parallel()
	words, counts := map[string]int{}, map[string]*[3]int{}
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		require.NoError(t, err)
		if entry.IsDir() {
			if slices.Contains([]string{"node_modules", "build", "migrations", "gen", "testdata", "vendor", "dist", "bin", "pgmq", "pgtap"}, entry.Name()) || relative != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		folder := englishFolder(filepath.ToSlash(relative))
		if folder == "" {
			return nil
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		prose := proseOf(filepath.Ext(path), string(text))
		words[folder] += len(strings.Fields(prose))
		if counts[folder] == nil {
			counts[folder] = &[3]int{}
		}
		for i, p := range pronouns {
			counts[folder][i] += len(p.find.FindAllString(prose, -1))
		}
		return nil
	}))
	var measured []string
	for folder := range words {
		measured = append(measured, folder)
	}
	slices.Sort(measured)
	var listed []string
	for _, limit := range readLimits(t) {
		listed = append(listed, limit.folder)
		if words[limit.folder] == 0 {
			continue
		}
		for i, p := range pronouns {
			rate := 1e4 * float64(counts[limit.folder][i]) / float64(words[limit.folder])
			assert.LessOrEqual(t, rate, limit.most[i], "%s: %s in 10,000 words; docs/voice.md has the words to use instead", limit.folder, p.name)
		}
	}
	slices.Sort(listed)
	assert.Equal(t, listed, measured, "each folder with prose has its limits")
	if testing.Verbose() {
		for _, folder := range measured {
			line := fmt.Sprintf("%-12s %7d words", folder, words[folder])
			for i, p := range pronouns {
				line += fmt.Sprintf("  %s %.1f", p.name, 1e4*float64(counts[folder][i])/float64(words[folder]))
			}
			t.Log(line)
		}
	}
}

// englishFolder returns the folder for which a file counts. It returns "" if the file has no prose of this project, is
// generated, or is a test.
func englishFolder(path string) string {
	switch {
	case !slices.Contains([]string{".go", ".sql", ".md", ".py", ".ts"}, filepath.Ext(path)),
		strings.HasSuffix(path, "_test.go"), strings.HasSuffix(path, "_gen.go"),
		strings.HasPrefix(path, "internal/tests/"), strings.Contains(path, "/tests/"),
		strings.HasPrefix(path, "clients/") && strings.HasSuffix(path, ".sql"), // built from db
		path == "CHANGELOG.md", path == "docs/functions.md", path == "docs/voice.md":
		return ""
	case strings.HasPrefix(path, "docs/howto/"):
		return "docs/howto"
	}
	folder, _, inside := strings.Cut(path, "/")
	if !inside {
		return "."
	}
	return folder
}

var (
	generatedPart = regexp.MustCompile(`(?s)<!-- generated:.*?<!-- end -->`)
	fenced        = regexp.MustCompile("(?s)```.*?```")
	inlineCode    = regexp.MustCompile("`[^`]*`")
	goComment     = regexp.MustCompile(`(?m)^\s*// ?(.*)$`)
	sqlProse      = regexp.MustCompile(`(?ms)^\s*--+ ([^\n]*)$|\$\$([A-Z][^$]*?)\$\$;|is\s*\n?\s*'([A-Z](?:[^']|'')*)';`)
	pyProse       = regexp.MustCompile(`(?ms)^\s*# ?([^\n]*)$|"""(.*?)"""`)
	tsComment     = regexp.MustCompile(`(?m)^\s*(?://|/?\*+) ?(.*)$`)
)

// proseOf returns the prose of a file: comments, descriptions of SQL, or a page without its code and its generated parts.
func proseOf(ext, text string) string {
	var b strings.Builder
	add := func(found [][]string) {
		for _, m := range found {
			if line := strings.Join(m[1:], " "); !strings.HasPrefix(line, "go:") {
				b.WriteString(line + "\n")
			}
		}
	}
	switch ext {
	case ".go":
		add(goComment.FindAllStringSubmatch(text, -1))
	case ".sql":
		add(sqlProse.FindAllStringSubmatch(text, -1))
	case ".py":
		add(pyProse.FindAllStringSubmatch(text, -1))
	case ".ts":
		add(tsComment.FindAllStringSubmatch(text, -1))
	default:
		text = fenced.ReplaceAllString(generatedPart.ReplaceAllString(text, ""), "")
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "    ") {
				b.WriteString(line)
			}
		}
		return inlineCode.ReplaceAllString(b.String(), "X")
	}
	return b.String()
}

func TestProseOf_IsWithoutCode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ ext, text, want string }{
		{".go", "// A comment.\nx := 1 // of code\n//go:build x\n", "A comment.\n"},
		{".sql", "-- a reason\nselect ';';\ncomment on table t is\n  'The tasks.';\ncomment on function f is\n$$Returns it; or not.$$;", "a reason  \n  The tasks.\n Returns it; or not. \n"},
		{".md", "Text with `code;` in it.\n```sh\nwhat\n```\n<!-- generated: x -->\nwhat\n<!-- end -->\n    indented;\n", "Text with X in it.\n\n\n"},
		{".py", "# A comment\nx = 1\ndef f():\n    \"\"\"Returns it.\"\"\"\n", "A comment \n Returns it.\n"},
		{".ts", "/** Says it. */\nconst x = 1;\n", "Says it. */\n"},
	} {
		require.Equal(t, test.want, proseOf(test.ext, test.text), test.ext)
	}
}

// A task is given a context, and a step has inputs. Prose must not say that a task has an input, since "Input" is a field of a
// job.
func TestWords_ATaskHasAContext(t *testing.T) {
	t.Parallel()
	other := regexp.MustCompile(`(?i)\b(standard|hostile|bad)[ -]input\b|\binput of (a|the) (form|validator)`)
	input, linked := regexp.MustCompile(`(?i)\binput\b`), regexp.MustCompile(`\]\([^)]*\)`)
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/howto/*.md", "clients/*/README.md"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		for _, file := range files {
			if filepath.Base(file) == "functions.md" || filepath.Base(file) == "cli.md" {
				continue
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for line := range strings.Lines(linked.ReplaceAllString(proseOf(".md", string(text)), "]")) {
				assert.False(t, input.MatchString(other.ReplaceAllString(line, "")), "%s: a task has a context, a step has inputs: %s", file, line)
			}
		}
	}
}

// A newcomer must meet few words of the glossary before the first program runs. The test counts them on the README's first
// screen, and on the start page up to its first success.
func TestStart_MeetsAtMostTwelveTerms(t *testing.T) {
	t.Parallel()
	glossary, err := os.ReadFile(filepath.Join(root, "docs/glossary.md"))
	require.NoError(t, err)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	start, err := os.ReadFile(filepath.Join(root, "docs/start.md"))
	require.NoError(t, err)
	first, _, found := strings.Cut(string(readme), "\n## ")
	require.True(t, found)
	program, _, found := strings.Cut(string(start), "That is the first success.")
	require.True(t, found)
	met := strings.ToLower(first + program)
	terms := map[string]bool{"workflow": true, "graph": true, "version": true}
	for _, m := range regexp.MustCompile(`(?m)^\| \*\*([^*]+)\*\*`).FindAllStringSubmatch(string(glossary), -1) {
		if m[1] != "log" { // package log of Go
			terms[m[1]] = true
		}
	}
	require.Greater(t, len(terms), 40)
	var has []string
	for term := range terms {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(strings.ToLower(term)) + `s?\b`).MatchString(met) {
			has = append(has, term)
		}
	}
	slices.Sort(has)
	t.Log(has)
	require.LessOrEqual(t, len(has), 12, "%v", has)
}
