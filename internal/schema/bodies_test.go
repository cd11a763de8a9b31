package schema_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// longest is the largest number of lines, two screens, in the body of a SQL function that needs no reason for its
// length.
const longest = 80

// body matches the body of a function, between its opening line and its closing line.
var body = regexp.MustCompile(`(?ms)^(?:as )?\$[a-z]*\$\n(.*?)^\$[a-z]*\$;$|^begin atomic\n(.*?)^end;$`)

// A long function is split at its joints. If it has no joints, long_bodies.txt says so.
func TestBodies_AreShortOrSayWhy(t *testing.T) {
	t.Parallel()
	reasons := map[string]string{}
	for line := range strings.Lines(read(t, "long_bodies.txt")) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		function, reason, _ := strings.Cut(line, ": ")
		require.NotEmpty(t, reason, "long_bodies.txt: %s has no reason", function)
		require.Empty(t, reasons[function], "long_bodies.txt: %s is listed twice", function)
		reasons[function] = reason
	}
	functions := 0
	for _, root := range []string{"../../db/schema/functions", "../../db/schema/tasklib/functions", "../../db/schema/pgmq/functions"} {
		walk(t, root, func(path, text string) {
			function := strings.TrimSuffix(filepath.Base(path), ".sql")
			lines := 0
			for _, found := range body.FindAllStringSubmatch(text, -1) {
				lines = max(lines, strings.Count(found[1]+found[2], "\n"))
			}
			require.NotZero(t, lines, "%s: no body was found", path)
			functions++
			if reason := reasons[function]; lines > longest {
				require.NotEmpty(t, reason, "%s has a body of %d lines: split it, or say in internal/schema/long_bodies.txt why it has no joint", path, lines)
				delete(reasons, function)
			} else {
				require.Empty(t, reason, "%s has a body of %d lines: delete its line of internal/schema/long_bodies.txt", path, lines)
			}
		})
	}
	require.Greater(t, functions, 600, "functions")
	require.Empty(t, reasons, "long_bodies.txt names functions that do not exist")
}
