package schema_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	unnamed    = regexp.MustCompile(`throws_ok\((?s:[^;]*?)'TK\d{3}',\s*null\s*[,)]`)
	generators = []string{"random()", "random_work("}
	// This matches a scalar subquery that is expected to be null.
	rowless = regexp.MustCompile(`\bis\(\s*\(\s*select [^;]*?\sfrom\b[^;]*?\)\s*,\s*null(?:::\w+)?\s*,`)
	// This matches a comparison that a null passes, in a query that must return no row.
	lenient = regexp.MustCompile(`is_empty\([^;]*?(?: <> | != | !~ | not between )[^;]*?\);`)
)

// A code of class TK has many causes, so a test that expects such a code also names the message, with throws_ok, or
// with throws_like if a part of the message changes from run to run.
func TestPgTAP_NamesTheMessageOfARefusal(t *testing.T) {
	t.Parallel()
	require.Regexp(t, unnamed, "select throws_ok($$ select f() $$,\n  'TK422', null, 'text');")
	tests(t, func(path, text string) {
		require.Empty(t, unnamed.FindString(text), "%s: name the message", path)
	})
}

// Random data comes from a seed, so that a failed run can be repeated.
func TestPgTAP_SeedsRandomData(t *testing.T) {
	t.Parallel()
	tests(t, func(path, text string) {
		for _, generator := range generators {
			if strings.Contains(text, generator) {
				require.Contains(t, text, "setseed(", path)
			}
		}
	})
}

// An assertion that cannot fail proves nothing, so a part that does not apply must be skipped. The summary shows skipped parts.
func TestPgTAP_SkipsWhatDoesNotApply(t *testing.T) {
	t.Parallel()
	tests(t, func(path, text string) {
		require.NotContains(t, text, "then pass(", "%s: skip()", path)
		require.NotContains(t, text, "else pass(", "%s: skip()", path)
	})
}

// A subquery without a row is null as well, so a value that must be null is compared as "is null" with true.
func TestPgTAP_ExpectsARowOfWhatIsNull(t *testing.T) {
	t.Parallel()
	require.Regexp(t, rowless, "select is((select t.login from tasker.tasks as t where t.complete), null, 'text');")
	require.NotRegexp(t, rowless, "select is((select t.login is null from tasker.tasks as t), true, 'text');")
	tests(t, func(path, text string) {
		require.Empty(t, rowless.FindString(text), "%s: select … is null, and expect true", path)
	})
}

// A comparison with null is never true, so a query for wrong rows must find nulls, too.
func TestPgTAP_FindsNullsThatAreWrong(t *testing.T) {
	t.Parallel()
	require.Regexp(t, lenient, "select is_empty('select from made where f(n) <> n', 'text');")
	tests(t, func(path, text string) {
		require.Empty(t, lenient.FindString(text), "%s: is distinct from, or (…) is not true", path)
	})
}

// tests calls visit for each pgTAP file except the fixtures.
func tests(t *testing.T, visit func(path, text string)) {
	t.Helper()
	walk(t, "../../pgtap", func(path, text string) {
		if filepath.Base(filepath.Dir(path)) != "fixtures" {
			visit(path, text)
		}
	})
}
