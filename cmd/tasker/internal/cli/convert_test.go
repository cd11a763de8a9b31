package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

const ofTaskerCore = `name: pay
namespace_name: shop
version: 1.0.0
domain_events: [{name: paid}]
steps:
  - name: charge
    handler: {callable: Payments::Charge}
    retry: {limit: 4, backoff_base_ms: 500}
`

func TestTemplateConvert_PrintsWhatApplyTakesAndNamesTheRest(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	name := file(t, "pay.yaml", ofTaskerCore)
	converted := taskerWith(t, "", "", "template", "convert", name)
	require.Zero(t, converted.code, converted.err)
	require.Equal(t, name+": line 4: domain_events: handlers write your tables in their transaction, or subscribe to the feed (docs/feed.md).\n", converted.err)
	require.Equal(t, "+ shop/pay@1.0.0 registered, new, 1 step\n", must(t, pool, "apply", file(t, "converted.yaml", converted.out)))
	require.Equal(t, converted.out, taskerWith(t, "", ofTaskerCore, "template", "convert", "-").out)
	require.Equal(t, exitInvalid, taskerWith(t, "", "[1]", "template", "convert", "-").code)
	require.Equal(t, exitUsage, taskerWith(t, "", "", "template", "convert").code)
}
