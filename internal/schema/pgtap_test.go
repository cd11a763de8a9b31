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
)

// A code of class TK has many causes, so a test that expects one names the message too: throws_ok, or throws_like if a
// part of the message changes from run to run.
func TestPgTAP_NamesTheMessageOfARefusal(t *testing.T) {
	t.Parallel()
	require.Regexp(t, unnamed, "select throws_ok($$ select f() $$,\n  'TK422', null, 'text');")
	tests(t, func(path, text string) {
		require.Empty(t, unnamed.FindString(text), "%s: name the message", path)
	})
}

// A red run can be repeated: random data comes from a seed.
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

// An assertion that cannot fail says nothing: what does not apply is skipped, which the summary shows.
func TestPgTAP_SkipsWhatDoesNotApply(t *testing.T) {
	t.Parallel()
	tests(t, func(path, text string) {
		require.NotContains(t, text, "then pass(", "%s: skip()", path)
		require.NotContains(t, text, "else pass(", "%s: skip()", path)
	})
}

// tests calls visit for each pgTAP file but the fixtures.
func tests(t *testing.T, visit func(path, text string)) {
	t.Helper()
	walk(t, "../../pgtap", func(path, text string) {
		if filepath.Base(filepath.Dir(path)) != "fixtures" {
			visit(path, text)
		}
	})
}
