package sqltext_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pgtasker/pgtasker/internal/schema/sqltext"
)

func TestTokens_ReadsWhatHidesSemicolons(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		text string
		want []sqltext.Token
	}{
		"words are folded":            {"Select FROM", []sqltext.Token{{sqltext.Word, "select"}, {sqltext.Word, "from"}}},
		"comments vanish":             {"a -- b; c\n/* d; /* e */ ; */ f", []sqltext.Token{{sqltext.Word, "a"}, {sqltext.Word, "f"}}},
		"a doubled quote":             {`'it''s; ok'`, []sqltext.Token{{sqltext.String, `'it''s; ok'`}}},
		"a backslash is a character":  {`'\' x`, []sqltext.Token{{sqltext.String, `'\'`}, {sqltext.Word, "x"}}},
		"a backslash escapes after e": {`E'a\'; b' x`, []sqltext.Token{{sqltext.String, `E'a\'; b'`}, {sqltext.Word, "x"}}},
		"a quoted identifier":         {`"a;""B"`, []sqltext.Token{{sqltext.Quoted, `"a;""B"`}}},
		"dollar quotes":               {`$$a; 'b$$`, []sqltext.Token{{sqltext.String, `$$a; 'b$$`}}},
		"dollar quotes with a tag":    {`$x1$ $$;$$ $x1$`, []sqltext.Token{{sqltext.String, `$x1$ $$;$$ $x1$`}}},
		"a parameter is no quotation": {`$1$2`, []sqltext.Token{{sqltext.Symbol, "$"}, {sqltext.Number, "1$2"}}},
		"numbers":                     {`1.5e3`, []sqltext.Token{{sqltext.Number, "1.5e3"}}},
		"letters of any language":     {`größe`, []sqltext.Token{{sqltext.Word, "größe"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tokens, err := sqltext.Tokens(row.text)
			require.NoError(t, err)
			require.Equal(t, row.want, tokens)
		})
	}
}

func TestTokens_NamesTheLineOfWhatDoesNotEnd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"select\n'abc":      "line 2: a quotation opened by ' does not end",
		"\n\n\"abc":         "line 3: a quotation opened by \" does not end",
		"$a$ $b$":           "line 1: a quotation opened by $a$ does not end",
		"/* a /* b */":      "line 1: a comment opened by /* does not end",
		"select E'abc\\'\n": "line 1: a quotation opened by ' does not end",
	} {
		_, err := sqltext.Tokens(text)
		require.EqualError(t, err, want)
	}
}

func TestSplit_KeepsBodiesWhole(t *testing.T) {
	t.Parallel()
	statements, err := sqltext.Split(`
		create function a() returns int language sql
		begin atomic
		  select case when true then 1 else 2 end;
		  select 3;
		end;;
		create function b() returns void language plpgsql as $$ begin null; end; $$;
		comment on function b() is 'x; y'; select 1`)
	require.NoError(t, err)
	require.Len(t, statements, 4)
	require.True(t, statements[2].Begins("comment", "on", "function"))
	require.Equal(t, "select 1", statements[3].String())
}

func TestCreated_SaysHowToDropWhatAStatementCreates(t *testing.T) {
	t.Parallel()
	for text, drop := range map[string]string{
		"create table tasker.a (b int)":                                                         "drop table tasker.a;",
		"create unlogged table if not exists tasker.a ()":                                       "drop table tasker.a;",
		"create table tasker.a partition of tasker.b default":                                   "drop table tasker.a;",
		"create foreign table tasker.a () server s":                                             "drop foreign table tasker.a;",
		"create or replace view tasker.v as select 1":                                           "drop view tasker.v;",
		"create materialized view if not exists tasker.m as select 1":                           "drop materialized view tasker.m;",
		"create or replace function tasker.f(a int) returns int as ''":                          "drop function tasker.f;",
		"create or replace procedure tasker.p() as ''":                                          "drop procedure tasker.p;",
		"create type tasker.t as enum ('a')":                                                    "drop type tasker.t;",
		"create domain tasker.d as text check (value <> '')":                                    "drop domain tasker.d;",
		"create sequence tasker.s":                                                              "drop sequence tasker.s;",
		"create schema if not exists tasker authorization tasker_owner":                         "drop schema tasker;",
		"create or replace trigger g after update of a on tasker.t execute function tasker.f()": "drop trigger g on tasker.t;",
		"create constraint trigger g after insert on tasker.t execute function tasker.f()":      "drop trigger g on tasker.t;",
		"create unique index concurrently if not exists i on only tasker.t (a)":                 "drop index tasker.i;",
		"create policy p on tasker.t using (true)":                                              "drop policy p on tasker.t;",
		"create or replace rule r as on insert to tasker.t do nothing":                          "drop rule r on tasker.t;",
		"create statistics tasker.s (ndistinct) on a, b from tasker.t":                          "drop statistics tasker.s;",
		`create table tasker."Strange name" ()`:                                                 `drop table tasker."Strange name";`,
	} {
		object := created(t, text)
		require.True(t, object.Droppable(), text)
		require.Equal(t, drop, object.Drop())
	}
}

func TestCreated_DoesNotGuessHowToDrop(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"create extension pgmq",
		"create role tasker_owner",
		"create index on tasker.t (a)",
		"create operator tasker.+ (function = tasker.f)",
		"create",
	} {
		require.False(t, created(t, text).Droppable(), text)
	}
	statements, err := sqltext.Split("alter table tasker.t add a int")
	require.NoError(t, err)
	_, ok := statements[0].Created()
	require.False(t, ok)
}

func TestSignature_IsWhatCreateOrReplaceCannotChange(t *testing.T) {
	t.Parallel()
	const function = "create or replace function tasker.f(a int) returns setof tasker.t language sql as 'x'"
	for name, row := range map[string]struct {
		text string
		same bool
	}{
		"another body":           {"create or replace function tasker.f(a int) returns setof tasker.t language sql as 'y'", true},
		"layout and case":        {"CREATE OR REPLACE FUNCTION tasker.f( a int )\n RETURNS setof tasker.t IMMUTABLE as 'y'", true},
		"strictness":             {"create or replace function tasker.f(a int) returns setof tasker.t returns null on null input as 'y'", true},
		"a parameter's name":     {"create or replace function tasker.f(b int) returns setof tasker.t language sql as 'x'", false},
		"a parameter more":       {"create or replace function tasker.f(a int, b int default 1) returns setof tasker.t as 'x'", false},
		"another return type":    {"create or replace function tasker.f(a int) returns tasker.t language sql as 'x'", false},
		"a longer return type":   {"create or replace function tasker.f(a int) returns setof tasker.t[] language sql as 'x'", false},
		"a table as return type": {"create or replace function tasker.f(a int) returns table (b int) language sql as 'x'", false},
		"another name":           {"create or replace function tasker.g(a int) returns setof tasker.t language sql as 'x'", false},
		"a procedure":            {"create or replace procedure tasker.f(a int) language sql as 'x'", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.same, created(t, function).Signature == created(t, row.text).Signature)
		})
	}
}

func TestCreated_ReadsTheColumnsOfARowType(t *testing.T) {
	t.Parallel()
	object := created(t, `create or replace view tasker.r as
		select 'low'::tasker.lane as lane, null::double precision as age, '{}'::text[] as names, 0::numeric(3, 1) as rate where false`)
	require.Equal(t, []string{"lane tasker . lane", "age double precision", "names text [ ]", "rate numeric ( 3 , 1 )"}, object.Columns)
	require.Equal(t, "row type tasker.r", object.Signature)

	for _, text := range []string{
		"create or replace view tasker.r as select 1::int as a",
		"create or replace view tasker.r as select 1 as a where false",
		"create or replace view tasker.r as select t.a::int as a from tasker.t where false",
		"create or replace view tasker.r as select t.a::int as a, t.b::int from tasker.t as t where false",
		"create or replace view tasker.r (a) as select 1::int as a where false",
		"create or replace view tasker.r with (security_barrier) as select 1::int as a where false",
		"create or replace view tasker.r as select where false",
		"create or replace view tasker.r",
		"create view",
		"create table tasker.r as select 1::int as a where false",
	} {
		object := created(t, text)
		require.Nil(t, object.Columns, text)
		require.NotContains(t, object.Signature, "row type", text)
	}
}

func TestMentions_LooksForWholeNamesOutsideOfStrings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"select tasker.clock()":                  true,
		"select TASKER.Clock ( )":                true,
		"select tasker.clock.x":                  true,
		"select 'tasker.clock()'":                false,
		"select tasker.clock_of()":               false,
		"select db.tasker.clock()":               false,
		"select clock() -- tasker.clock()":       false,
		"select x from tasker as t, clock as c":  false,
		"select a.b from tasker.clock as tasker": true,
	} {
		statements, err := sqltext.Split(text)
		require.NoError(t, err)
		require.Equal(t, want, statements[0].Mentions("tasker.clock"), text)
	}
}

func created(t *testing.T, text string) sqltext.Object {
	t.Helper()
	statements, err := sqltext.Split(text)
	require.NoError(t, err)
	object, ok := statements[0].Created()
	require.True(t, ok)
	return object
}
