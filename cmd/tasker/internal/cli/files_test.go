package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

func TestOpen_NamesTheFileThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	text := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(text, []byte("no certificate"), 0o600))
	for option, says := range map[string]string{
		"sslrootcert=/no/such/ca.pem":                    "open /no/such/ca.pem: no such file or directory",
		"sslcert=/no/such/c.pem&sslkey=/no/such/k.pem":   "/no/such/",
		"sslrootcert=" + text:                            "CA",
		"service=none&servicefile=/no/such/service.conf": "/no/such/service.conf",
	} {
		_, err := (&app{sockets: &sockets{}}).open(t.Context(), "postgres://u:secret@localhost/db?sslmode=verify-full&"+option)
		var p *problem
		require.ErrorAs(t, err, &p, option)
		require.Equal(t, exitUsage, p.Exit, option)
		require.Equal(t, "a file of the database's address cannot be used", p.Message, option)
		require.Contains(t, p.Detail, says, option)
		require.NotContains(t, fmt.Sprintf("%+v", *p), "secret", option)
	}
}

func TestDescribe_SaysThatAServerOnlyReads(t *testing.T) {
	t.Parallel()
	p := describe(errors.Join(&pgconn.PgError{Code: "25006", Message: "cannot execute SELECT FOR UPDATE in a read-only transaction"}))
	require.Equal(t, exitUnreachable, p.Exit)
	require.Contains(t, p.Message, "is a standby")
	require.Contains(t, p.Detail, "SELECT FOR UPDATE")
}
