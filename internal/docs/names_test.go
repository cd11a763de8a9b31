package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/executor"
	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestPages_NameEveryDuty: the table of docs/operations.md has a row for each duty, with its setting, and marks the
// duties that workers do.
func TestPages_NameEveryDuty(t *testing.T) {
	t.Parallel()
	duties, err := executor.New(pgtest.New(t)).ListMaintenanceDuties(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, duties)
	page := read(t, "docs/operations.md")
	for _, d := range duties {
		mark := ""
		if d.WorkerDuty {
			mark = " *"
		}
		assert.Contains(t, page, "\n| `"+d.Duty+"`"+mark+" | `"+d.IntervalSetting+"` | ", "docs/operations.md: the table of duties")
	}
}

// TestPages_SayHowLongTasksAreKept: the pages about equal requests and about production say when tasks are deleted.
func TestPages_SayHowLongTasksAreKept(t *testing.T) {
	t.Parallel()
	status, err := executor.New(pgtest.New(t)).PartitionStatus(t.Context())
	require.NoError(t, err)
	kept := fmt.Sprintf("%d days", int(status.Retention.Hours()/24))
	for _, page := range []string{"README.md", "docs/production.md", "docs/partitions.md", "docs/howto/idempotency.md"} {
		assert.Contains(t, strings.Join(strings.Fields(read(t, page)), " "), kept, page)
	}
}

// TestInstall_NamesSchemasAndRoles: The page names the schemas and roles that a migration creates.
func TestInstall_NamesSchemasAndRoles(t *testing.T) {
	t.Parallel()
	rows, err := pgtest.New(t).Query(t.Context(), `
		select s.nspname::text from pg_namespace as s where s.nspname ~ '^(tasker|tasklib|pgmq)' and s.nspname <> 'tasker_test'
		union all
		select r.rolname::text from pg_roles as r where r.rolname ~ '^(tasker|tasklib)_(owner|submitter|worker|orchestrator|operator|reader|server)$'`)
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(names), 11)
	_, section, _ := strings.Cut(read(t, "docs/install.md"), "## Objects that the migrations create")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, name := range names {
		assert.Contains(t, section, "`"+name+"`")
	}
}

// TestTroubleshooting_QuotesTheHistory: a reader who searches for words of the history finds them.
func TestTroubleshooting_QuotesTheHistory(t *testing.T) {
	t.Parallel()
	_, section, found := strings.Cut(read(t, "docs/troubleshooting.md"), "| the history says | cause |\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n\n")
	files, err := filepath.Glob(filepath.Join(root, "db/schema/functions/*/*/private/event_sentence.sql"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	sentences, err := os.ReadFile(files[0])
	require.NoError(t, err)
	quotes := regexp.MustCompile("(?m)^\\| `([^`]+)`").FindAllStringSubmatch(section, -1)
	require.NotEmpty(t, quotes)
	for _, quote := range quotes {
		assert.Contains(t, string(sentences), "'"+quote[1]+"'")
	}
}

// TestStaleness_NamesEveryReprieve: for each reason of tasker.task_staleness docs/operations.md says when a task is not
// stale.
func TestStaleness_NamesEveryReprieve(t *testing.T) {
	t.Parallel()
	sentences := map[string]string{
		"namespace_paused": "its namespace is paused", "lease": "under a live lease", "timer": "its start or a retry is scheduled",
		"wait": "one of its steps waits for", "undo": "it is being undone", "backlog": "a backlog, not an outage",
	}
	page, comment := read(t, "docs/operations.md"), read(t, "db/schema/rows/operate/dead_letters/task_staleness.sql")
	reasons := regexp.MustCompile(`(?m) then '([a-z_]+)'$`).FindAllStringSubmatch(
		strings.SplitAfter(read(t, "db/schema/functions/operate/dead_letters/private/open_task_staleness.sql"), "48 seconds' then\n")[1], -1)
	require.Len(t, reasons, len(sentences))
	for _, reason := range reasons {
		assert.NotEmpty(t, sentences[reason[1]], reason[1])
		assert.Contains(t, page, sentences[reason[1]])
		assert.Contains(t, comment, reason[1])
	}
}

// TestPages_NameTestsThatThereAre: the pages name only tests that exist, since a claim whose test was renamed is not
// proved.
func TestPages_NameTestsThatThereAre(t *testing.T) {
	t.Parallel()
	tests := everyTest(t)
	found := 0
	for _, path := range markdown(t) {
		for _, line := range prose(t, path) {
			for _, name := range regexp.MustCompile("`(Test[A-Z][a-z]+_[A-Za-z]*)").FindAllStringSubmatch(line, -1) {
				found++
				assert.Contains(t, tests, "func "+name[1], "%s", path)
			}
		}
	}
	require.Greater(t, found, 10)
}

// TestPages_NameCommandsThatThereAre: every command in the text exists, and docs/cli.md has its flags.
func TestPages_NameCommandsThatThereAre(t *testing.T) {
	t.Parallel()
	text := read(t, "docs/cli.md")
	_, global, _ := strings.Cut(text, "## Flags of every command")
	global, _, _ = strings.Cut(global, "\n## ")
	commands := map[string]string{}
	for _, section := range strings.Split(text, "\n### ")[1:] {
		name, rest, _ := strings.Cut(section, "\n")
		commands[name] = rest + global
	}
	require.Greater(t, len(commands), 50)

	flag := regexp.MustCompile(`(?:^|\s)(--[a-z][a-z-]*)`)
	found := 0
	forms, err := filepath.Glob(filepath.Join(root, ".github/ISSUE_TEMPLATE/*.yml"))
	require.NoError(t, err)
	require.NotEmpty(t, forms)
	for _, path := range append(markdown(t), forms...) {
		if filepath.Base(path) == "cli.md" {
			continue
		}
		for _, line := range prose(t, path) {
			for _, span := range code.FindAllString(line, -1) {
				words, isCommand := strings.CutPrefix(strings.Trim(span, "`"), "tasker ")
				if !isCommand || words == "" || strings.HasPrefix(words, "-") {
					continue
				}
				found++
				help, known := sectionOf(commands, strings.Fields(words))
				if !assert.True(t, known, "%s: there is no command %s", path, span) {
					continue
				}
				for _, match := range flag.FindAllStringSubmatch(words, -1) {
					assert.Contains(t, help, match[1], "%s: %s", path, span)
				}
			}
		}
	}
	require.Greater(t, found, 100)
}

// TestPages_NameTargetsThatThereAre: the Makefile has every target in the text.
func TestPages_NameTargetsThatThereAre(t *testing.T) {
	t.Parallel()
	makefile := "\n" + read(t, "Makefile")
	found := 0
	for _, path := range markdown(t) {
		for _, line := range prose(t, path) {
			for _, span := range regexp.MustCompile("`make ([a-z][^`]*)`").FindAllStringSubmatch(line, -1) {
				for _, word := range regexp.MustCompile(`^[a-z -]+( |$)`).FindAllString(span[1], 1) {
					for _, target := range strings.Fields(word) {
						found++
						assert.True(t, strings.Contains(makefile, "\n"+target+":"), "%s: `make %s`", path, span[1])
					}
				}
			}
		}
	}
	require.Greater(t, found, 50)
}

// TestChangelog_NamesGoThatThereIs: Each Go name that the changelog says was added to a package exists.
func TestChangelog_NamesGoThatThereIs(t *testing.T) {
	t.Parallel()
	_, added, _ := strings.Cut(read(t, "CHANGELOG.md"), "### Added")
	packages, found := map[string]string{}, 0
	for _, name := range regexp.MustCompile("`([a-z][a-z/]*)\\.([A-Z][A-Za-z0-9]*)").FindAllStringSubmatch(added, -1) {
		text, known := packages[name[1]]
		if !known {
			files, err := filepath.Glob(filepath.Join(root, name[1], "*.go"))
			require.NoError(t, err)
			for _, file := range files {
				source, err := os.ReadFile(file)
				require.NoError(t, err)
				if !strings.HasSuffix(file, "_test.go") {
					text += string(source)
				}
			}
			packages[name[1]] = text
		}
		if text != "" {
			found++
			declared := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var |const |\t)` + name[2] + `\b`)
			assert.True(t, declared.MatchString(text), "%s.%s", name[1], name[2])
		}
	}
	require.Greater(t, found, 30)
}

// sectionOf returns the help of the command with which these words begin. For a group it returns the help of all
// commands of the group.
func sectionOf(commands map[string]string, words []string) (help string, known bool) {
	for n := min(2, len(words)); n > 0; n-- {
		name := "tasker " + strings.Join(words[:n], " ")
		if help, known = commands[name]; known {
			return help, true
		}
	}
	for name, section := range commands {
		// "tasker schedule" names the group.
		if strings.HasPrefix(name, "tasker "+words[0]+" ") && (len(words) == 1 || strings.HasPrefix(words[1], "-")) {
			help, known = help+section, true
		}
	}
	return help, known
}

// read returns a file of the repository.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	require.NoError(t, err)
	return string(text)
}

// everyTest returns the text of all tests in Go.
func everyTest(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	}))
	return all.String()
}
