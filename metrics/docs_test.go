package metrics

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/docs"
)

// TestDocs_AreWhatTheExportersSay: "make docs" writes the table of docs/metrics.md.
func TestDocs_AreWhatTheExportersSay(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "docs", "metrics.md")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	want, err := docs.ReplacePart(string(text), "metrics", table())
	require.NoError(t, err)
	if os.Getenv("PGTASKER_UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		text = []byte(want)
	}
	require.True(t, want == string(text), "docs/metrics.md is out of date: make docs")

	// The collector describes no metric that the page lacks, and the page has no other.
	described := make(chan *prometheus.Desc, 1000)
	NewCollector(nil, Config{}).Describe(described)
	close(described)
	name := regexp.MustCompile(`fqName: "([^"]+)"`)
	count := 0
	for d := range described {
		count++
		assert.Contains(t, string(text), "\n| `"+name.FindStringSubmatch(d.String())[1]+"` | ")
	}
	assert.Equal(t, count, strings.Count(string(text), "\n| `pgtasker_"))
}

// table is the generated part of docs/metrics.md.
func table() string {
	var b strings.Builder
	b.WriteString("| Prometheus | type | unit | labels | meaning | OpenTelemetry |\n|---|---|---|---|---|---|\n")
	b.WriteString("| `" + upName + "` | gauge | `1` | | " + upHelp + " | |\n")
	for _, f := range families {
		kind := "gauge"
		if f.kind == counter {
			kind = "counter"
		}
		labels := ""
		if len(f.labels) > 0 {
			labels = "`" + strings.Join(f.labels, "`, `") + "` "
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s| %s | `%s` |\n", f.name, kind, f.unit, labels, f.help, otelName(f.name))
	}
	return b.String()
}
