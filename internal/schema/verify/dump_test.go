package verify

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/catalog"
)

func TestParseDump_OrdersObjectsAndLeavesOutWhatIsNeverTheSame(t *testing.T) {
	t.Parallel()
	const dump = `--
-- PostgreSQL database dump
--

\restrict abc

-- Dumped from database version 15.18
-- Dumped by pg_dump version 15.18

SET row_security = off;

--
-- Name: b; Type: VIEW
--

CREATE VIEW b;

--
-- Name: a; Type: TABLE
--

CREATE TABLE a (
    b integer
);

--
-- PostgreSQL database dump complete
--

\unrestrict abc
`
	require.Equal(t, catalog.Objects{
		{Name: "a; Type: TABLE", Lines: []string{"CREATE TABLE a (", "    b integer", ");"}},
		{Name: "b; Type: VIEW", Lines: []string{"CREATE VIEW b;"}},
		{Name: "the beginning", Lines: []string{"SET row_security = off;"}},
	}, parseDump(dump))
}
