package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// refused are the words of docs/voice.md that no text may use.
var refused = regexp.MustCompile(`(?i)\b(whoever|whomever|somebody|nobody|anybody|everybody|be it (for|a|an|the|by)|nothing but|any more, those|anew)\b` +
	`|(?-i:(^|[.:] )(Of (a|an|all|some|them|those|these|the) |So long ))`)

// begins matches the words with which a comment, or the description of an object of the schema, must not begin. In Go a name
// may be Of.
var (
	begins    = regexp.MustCompile(`^(What|Who|Of)\b`)
	namedOf   = regexp.MustCompile(`^Of (returns|is) `)
	commentOn = regexp.MustCompile(`^\s*'(.*)'`)
)

// exceptions are names with refused words, which a text may have to mention.
var exceptions = regexp.MustCompile(`"nobody"|\bnobody\(|user postgres or nobody|, nobody,|refused = |refused are|word list`)

// comment is a comment of Go, or a comment, a message or a description in SQL.
var comment = map[string]*regexp.Regexp{
	".go":  regexp.MustCompile(`^\s*// ?(.*)$|\s// (.*)$|errors\.New\((.*)$|fmt\.Errorf\((.*)$`),
	".sql": regexp.MustCompile(`^\s*--+ ?(.*)$|\s-- (.*)$|'(.*)'|^\$\$(.*)$|^([A-Z].*)$`),
}

func TestVoice_RefusesThePrivateDialect(t *testing.T) {
	t.Parallel()
	for text, found := range map[string]bool{
		"-- Whoever comes second waits.": true, "-- Another transaction holds the row.": false,
		"-- Of a task no step is held.": true, "-- Somebody holds it": true, "-- so long an idle client may sleep": false,
		"-- What waits can move yet.": true, "-- Who came first holds it.": true, "-- It says what waits.": false, "-- Whole tasks only.": false,
		"$$What a step waits for.$$;": true, "$$Returns what a step waits for.$$;": false, "-- counted anew": true,
		"comment on table t is\n  'What happened.';": true, "comment on table t is\n  'The events.';": false, "  'Of %s steps all are open',": false, "  hint = 'What failed can be';": false,
	} {
		require.Equal(t, found, len(spoken(".sql", text)) > 0, text)
	}

	var wrong []string
	for _, dir := range []string{"db/schema", "docs", "worker", "executor", "messaging", "tasklib", "workertest", "workflow", "template", "state", "migrate", "metrics", "cmd", "internal", "queries", "serve", "relay", "clients", "examples", "tools", "bench", "deploy"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") || generated(path) || strings.Contains(path, "/gen/") || strings.Contains(path, "/testdata/") || filepath.Base(path) == "voice.md" {
				return err
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, line := range spoken(filepath.Ext(path), string(text)) {
				wrong = append(wrong, path+": "+line)
			}
			return nil
		}))
	}
	for _, page := range []string{"README.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(filepath.Join(root, page))
		require.NoError(t, err)
		wrong = append(wrong, spoken(".md", string(text))...)
	}
	require.Empty(t, wrong, "docs/voice.md has the words to use instead")
}

// generated says whether a file repeats the comments of the schema, with other line breaks.
func generated(path string) bool { return strings.HasSuffix(path, "_gen.go") }

// spoken returns the lines of a text whose prose has a refused word.
func spoken(ext, text string) (lines []string) {
	find := comment[ext]
	if find == nil && ext != ".md" {
		return nil
	}
	before := ""
	for line := range strings.Lines(text) {
		about := strings.HasSuffix(strings.TrimRight(before, "\n"), " is")
		before = line
		if find != nil && beginsBadly(ext, line, about) {
			lines = append(lines, strings.TrimSpace(line))
			continue
		}
		prose := []string{line}
		if find != nil {
			prose = find.FindStringSubmatch(strings.TrimRight(line, "\n"))
			if prose == nil {
				continue
			}
		}
		for _, p := range prose {
			if refused.MatchString(p) && !exceptions.MatchString(line) {
				lines = append(lines, strings.TrimSpace(line))
				break
			}
		}
	}
	return lines
}

// beginsBadly says whether a comment, or a text after "comment on … is", begins with a forbidden word.
func beginsBadly(ext, line string, about bool) bool {
	if text := commentOn.FindStringSubmatch(line); text != nil {
		return ext == ".sql" && about && begins.MatchString(text[1])
	}
	for i, text := range comment[ext].FindStringSubmatch(strings.TrimRight(line, "\n")) {
		if i == 0 || ext == ".sql" && i == 3 || ext == ".go" && i > 2 { // the line, and messages
			continue
		}
		text = strings.TrimPrefix(strings.TrimLeft(text, " \t"), "$$")
		if begins.MatchString(text) && !namedOf.MatchString(text) {
			return true
		}
	}
	return false
}
