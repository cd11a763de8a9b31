package pgerr_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/pgerr"
	"github.com/pgtasker/pgtasker/internal/pgjson"
)

func TestOf_JudgesWhetherAnotherTryIsWorthIt(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]pgerr.Kind{
		"TK404": pgerr.Judged, "TK999": pgerr.Judged, "TK409": pgerr.Judged, "22P02": pgerr.Judged,
		"23505": pgerr.Judged, "21000": pgerr.Judged, "54000": pgerr.Judged, "P0001": pgerr.Judged,
		"40001": pgerr.Passing, "40P01": pgerr.Passing, "53300": pgerr.Passing, "57P01": pgerr.Passing,
		"57014": pgerr.Passing, "58030": pgerr.Passing, "08006": pgerr.Passing, "55P03": pgerr.Passing,
		"25006": pgerr.Passing, "0A000": pgerr.Passing, "": pgerr.Passing, "4": pgerr.Passing, // some poolers send no code
		"42883": pgerr.ToMend, "42P01": pgerr.ToMend, "3F000": pgerr.ToMend, "XX000": pgerr.ToMend, "28P01": pgerr.ToMend,
		"42501": pgerr.ToMend, "TK403": pgerr.ToMend, "TK401": pgerr.ToMend, "42P05": pgerr.ToMend,
	} {
		err := fmt.Errorf("call: %w", &pgconn.PgError{Code: code})
		require.Equal(t, want, pgerr.Of(err), code)
	}
	for _, err := range []error{io.ErrUnexpectedEOF, context.DeadlineExceeded, errors.New("dial: refused")} {
		require.Equal(t, pgerr.Passing, pgerr.Of(err), err)
	}
	for _, err := range []error{
		fmt.Errorf("result 1: %w", pgjson.Check([]byte(`{`))),
		errors.New("write failed: message body too large"), errors.New("failed to encode args[3]: no"),
	} {
		require.Equal(t, pgerr.Judged, pgerr.Of(err), err)
	}
}

func TestMend_NamesWhatToChange(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"42501": "grant", "TK403": "bind", "42P05": "default_query_exec_mode", "26000": "default_query_exec_mode",
		"28P01": "password", "42883": "migrate up", "25006": "default_transaction_read_only", "TK507": "ensure_partitions",
	} {
		require.Contains(t, pgerr.Mend(&pgconn.PgError{Code: code}), want, code)
	}
	level := &pgconn.PgError{Code: "TK409", Message: "this function does not run in a transaction of isolation level serializable"}
	require.Equal(t, pgerr.ToMend, pgerr.Of(level))
	require.Contains(t, pgerr.Mend(level), "read committed")
	require.Empty(t, pgerr.Mend(io.EOF))
}

func TestAway_IsTrueOnlyIfTheServerSaidSo(t *testing.T) {
	t.Parallel()
	require.True(t, pgerr.Away(fmt.Errorf("dial: %w", syscall.ECONNREFUSED)))
	require.True(t, pgerr.Away(&pgconn.PgError{Code: "57P03"}))
	require.False(t, pgerr.Away(context.DeadlineExceeded))
	require.False(t, pgerr.Away(io.ErrUnexpectedEOF))
	require.True(t, pgerr.TimedOut(fmt.Errorf("call: %w", context.DeadlineExceeded)))
	require.False(t, pgerr.TimedOut(io.EOF))
}

// TestCodes_AreTheTableOfThePage compares the tables Codes and Statuses with docs/http-workers.md, because every client follows
// this page.
func TestCodes_AreTheTableOfThePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/http-workers.md")
	require.NoError(t, err)
	codes, statuses := map[string]pgerr.Kind{}, map[int]pgerr.Kind{}
	for name, kind := range map[string]pgerr.Kind{"judged": pgerr.Judged, "passing": pgerr.Passing, "to be mended": pgerr.ToMend} {
		row := regexp.MustCompile(`(?m)^\| \*\*` + name + `\*\* \|(.*)\|(.*)\|$`).FindStringSubmatch(string(page))
		require.NotNil(t, row, name)
		for _, code := range regexp.MustCompile("`([0-9A-Z]{2,5})`").FindAllStringSubmatch(row[1], -1) {
			codes[code[1]] = kind
		}
		for _, status := range regexp.MustCompile(`\b[45][0-9]{2}\b`).FindAllString(row[2], -1) {
			number, err := strconv.Atoi(status)
			require.NoError(t, err)
			statuses[number] = kind
		}
	}
	require.Equal(t, codes, pgerr.Codes)
	require.Equal(t, statuses, pgerr.Statuses)
	require.Contains(t, strings.Join(strings.Fields(string(page)), " "), "every other SQLSTATE")
}
