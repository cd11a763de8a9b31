package docs

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

func TestReadme_SQLRunsInPsqlAsItStands(t *testing.T) {
	t.Parallel()
	psql, err := exec.LookPath("psql")
	require.NoError(t, err, "psql is needed: apt-get install postgresql-client")
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)```sql\n(.*?)```").FindSubmatch(readme)
	require.NotNil(t, block)

	cmd := exec.CommandContext(t.Context(), psql, "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", pgtest.URL(pgtest.New(t)))
	cmd.Stdin = strings.NewReader(string(block[1]))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "already_complete")
	require.Contains(t, string(out), `charge|1|{"reserve": {"shelf": 7}}`)
}
