package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/template"
)

func TestTemplateShow_NamesTheLimitAndTheTimeOutsOfAStep(t *testing.T) {
	t.Parallel()
	require.Empty(t, stepBounds(template.Step{Name: "free"}))
	require.Equal(t, "limit bank by $.customer, 1m30s an attempt", stepBounds(template.Step{
		Limit: "bank", LimitKey: "$.customer", TimeoutSeconds: new(int64(90)),
	}))
	require.Equal(t, "3d at most", stepBounds(template.Step{Timeout: "3d"}))
}
