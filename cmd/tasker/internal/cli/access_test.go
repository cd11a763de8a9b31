package cli

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAccess_SaysWhatPeopleMayDo(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	requireOutput(t, "no access maps exist, so signing in grants no access\n", tasker(t, pool, "access", "list").err)
	requireOutput(t, "people with groups=staff act as tasker_reader in all namespaces\n", must(t, pool, "access", "map", "groups=staff"))
	requireOutput(t, "people with groups=ops act as tasker_operator in shop\n", must(t, pool, "access", "map", "groups=ops", "--role", "operator", "--namespaces", "shop"))
	requireOutput(t, "people with groups=ops act as tasker_submitter in all namespaces\n",
		must(t, pool, "access", "map", "groups=ops", "--role", "submitter", "--namespaces", "all"))
	requireOutput(t, "people with claim=a=b act as tasker_reader in all namespaces\n", must(t, pool, "access", "map", "claim=a=b"))
	list := regexp.MustCompile(` +postgres\n`).ReplaceAllString(must(t, pool, "access", "list"), "\n")
	requireOutput(t, `
CLAIM   VALUE  ROLE              NAMESPACES      MADE BY
claim   a=b    tasker_reader     all namespaces
groups  ops    tasker_submitter  all namespaces
groups  staff  tasker_reader     all namespaces
`, list)
	requireOutput(t, "groups=staff unmapped\n", must(t, pool, "access", "unmap", "groups=staff"))
	requireOutput(t, "groups=staff was not mapped\n", must(t, pool, "access", "unmap", "groups=staff"))
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"map", "staff"}, exitInvalid, `"staff" is no claim with a value`},
		{[]string{"map", "=staff"}, exitInvalid, `"=staff" is no claim with a value`},
		{[]string{"unmap", "groups="}, exitInvalid, `"groups=" is no claim with a value`},
		{[]string{"map", "groups=x", "--role", "tasker_owner"}, exitInvalid, `a person cannot have role "tasker_owner"`},
		{[]string{"map", "groups=x", "--role", "nosuch"}, exitNotFound, `role "nosuch" does not exist`},
		{[]string{"map", "groups=x", "--namespaces", "nosuch"}, exitNotFound, `nosuch`},
		{[]string{"map"}, exitUsage, "tasker access map lacks CLAIM=VALUE"},
	} {
		r := tasker(t, pool, append([]string{"access"}, c.args...)...)
		require.Equal(t, c.code, r.code, "%s: %s", c.args, r.err)
		require.Contains(t, r.err, c.says, c.args)
		require.Empty(t, r.out, c.args)
	}
}

func TestSession_ListsAndEnds(t *testing.T) {
	t.Parallel()
	pool := newShop(t)
	freeze(t, pool)
	requireOutput(t, "no person is signed in\n", tasker(t, pool, "session", "list").err)
	_, err := pool.Exec(t.Context(), `
		select tasker.map_access('groups', 'ops', 'tasker_operator', '{shop}');
		select tasker.open_session(sha256(convert_to('secret ' || u.no, 'UTF8')), sha256(convert_to('sign-in ' || u.no, 'UTF8')),
			jsonb_build_object('iss', 'https://id', 'sub', u.sub, 'email', u.sub || '@corp.example', 'email_verified', true, 'groups', array['ops']), now())
		  from (values ('ann', 1), ('ann', 2), ('bob', 3)) as u (sub, no)`)
	require.NoError(t, err)
	sessions := must(t, pool, "session", "list")
	lines := regexp.MustCompile(`(?m)^[0-9a-f-]{36}  (ann|bob)@corp\.example \((ann|bob)\)  valid   tasker_operator  shop +\S+.*$`).FindAllString(sessions, -1)
	require.Len(t, lines, 3, sessions)
	require.Regexp(t, `^SESSION +PERSON +STATUS +ROLE +NAMESPACES +SEEN +ENDS\n`, sessions)
	id := regexp.MustCompile(`[0-9a-f-]{36}`).FindString(regexp.MustCompile(`.*bob@.*`).FindString(sessions))

	requireOutput(t, "1 session ended\n", must(t, pool, "session", "end", id))
	requireOutput(t, "no session was in use\n", must(t, pool, "session", "end", id))
	requireOutput(t, "2 sessions ended\n", must(t, pool, "session", "end", "--person", "ann@corp.example"))
	requireOutput(t, "no session was in use\n", must(t, pool, "session", "end", "--person", "ann"))
	requireOutput(t, "no person is signed in\n", tasker(t, pool, "session", "list").err)
	require.Len(t, regexp.MustCompile(`(?m) ended +tasker_operator `).FindAllString(must(t, pool, "session", "list", "--all"), -1), 3)
	r := tasker(t, pool, "session", "end")
	require.Equal(t, exitUsage, r.code)
	require.Contains(t, r.err, "a session or --person is needed")
	r = tasker(t, pool, "session", "end", id, "--person", "ann")
	require.Equal(t, exitUsage, r.code)
	r = tasker(t, pool, "session", "end", "x")
	require.Equal(t, exitInvalid, r.code)
	require.Contains(t, r.err, `"x" is no session`)
}
