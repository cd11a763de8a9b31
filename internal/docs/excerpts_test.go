package docs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Go on these pages is a file of its own, or an excerpt of a test that runs. The test is in internal/tests/howto, in the module
// of the page, or in examples/service.
func TestPages_ShowGoThatRuns(t *testing.T) {
	t.Parallel()
	var tests string
	for _, folder := range []string{"internal/tests/howto", "internal/tests/howto/typed", "internal/tests/howto/tested", "worker/otelworker", "messaging/pgmq", "messaging/rabbitmq"} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			tests += string(text)
		}
	}
	order, err := os.ReadFile(filepath.Join(root, "examples", "service", "order.go"))
	require.NoError(t, err)
	tests += string(order)
	found := 0
	for _, p := range pages(t, "README.md", "docs/worker.md", "docs/messaging.md", "docs/workflow.md", "docs/comparison.md", "docs/durable.md", "docs/feed.md", "docs/testing.md", "docs/tasklib.md", "docs/tutorial*.md", "docs/howto/*.md") {
		for _, b := range p.Excerpts() {
			found++
			assert.True(t, b.Contains(tests), "%s:%d: no test in internal/tests/howto, worker/otelworker or messaging, nor examples/service, has these lines", p.Name, b.Line)
		}
	}
	require.Positive(t, found)
}
