package schema_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	// oldClock matches the time at which a statement began.
	oldClock = regexp.MustCompile(`\b(tasker|tasklib)\.clock\(\)`)

	// lockOrWrite matches statements that may wait for another transaction's row.
	lockOrWrite = regexp.MustCompile(
		`for (no key )?update|for (key )?share|\bupdate (tasker|tasklib|tasker_meta)\.|delete from (tasker|tasklib)\.|do update|\block_\w+\(`)

	// body matches the body of a function, between its opening line and its closing line.
	body = regexp.MustCompile(`(?ms)^(?:as )?\$[a-z]*\$\n(.*?)^\$[a-z]*\$;$|^begin atomic\n(.*?)^end;$`)

	lineComment = regexp.MustCompile(`--[^\n]*`)
)

// A locked row may have changed after the statement's clock was read. A function with a lock and an old clock has its reason in
// old_clocks.txt, or reads write_clock() after the lock.
func TestClocks_AreReadAfterTheLock(t *testing.T) {
	t.Parallel()
	reasons := map[string]string{}
	for line := range strings.Lines(read(t, "old_clocks.txt")) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		function, reason, _ := strings.Cut(line, ": ")
		require.NotEmpty(t, reason, "old_clocks.txt: %s has no reason", function)
		require.Empty(t, reasons[function], "old_clocks.txt: %s is listed twice", function)
		reasons[function] = reason
	}
	for prefix, root := range map[string]string{
		"": "../../db/schema/functions", "tasklib.": "../../db/schema/tasklib/functions", "pgmq.": "../../db/schema/pgmq/functions",
	} {
		walk(t, root, func(path, text string) {
			function := prefix + strings.TrimSuffix(filepath.Base(path), ".sql")
			var code strings.Builder
			for _, found := range body.FindAllStringSubmatch(text, -1) {
				code.WriteString(lineComment.ReplaceAllString(found[1]+found[2], ""))
			}
			if !oldClock.MatchString(code.String()) || !lockOrWrite.MatchString(code.String()) {
				require.Empty(t, reasons[function], "%s does not read clock() beside a lock: delete its line of internal/schema/old_clocks.txt", path)
				return
			}
			require.NotEmpty(t, reasons[function],
				"%s reads clock(), the time at which the statement began, and locks or writes rows that may be younger: judge them by write_clock() after the lock, or say in internal/schema/old_clocks.txt why it does not matter", path)
			delete(reasons, function)
		})
	}
	require.Empty(t, reasons, "old_clocks.txt names functions that do not exist")
}
