package cli

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgtest"
)

// TestStandby_CommandsThatChangeRefuseIt has the commands that orchestrate meet a standby, as after a failover that led a name to it.
func TestStandby_CommandsThatChangeRefuseIt(t *testing.T) {
	t.Parallel()
	primary, server := pgtest.NewPrivate(t)
	standby, err := server.StartStandby(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Stop()) })
	to, err := url.Parse(standby.URL)
	require.NoError(t, err)
	to.Path = "/" + primary.Config().ConnConfig.Database
	for _, args := range [][]string{{"orchestrate"}, {"orchestrate", "--once"}, {"maintain"}} {
		r := taskerWith(t, to.String(), "", args...)
		require.Equal(t, exitUnreachable, r.code, "%v: %s", args, r.err)
		require.Contains(t, r.err, "this server is a standby", args)
		require.Contains(t, r.err, "target_session_attrs=primary", args)
	}
}
