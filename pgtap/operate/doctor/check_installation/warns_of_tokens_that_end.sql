begin;
set local client_min_messages = error;
select plan(7);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
create temporary view tokens as
  select c.status, c.message from tasker.check_installation() as c where c.name = 'tokens';
create temporary view ending as select h.ending_tokens from tasker.get_system_health_counts() as h;
create function pg_temp.token(p_name text, p_ends timestamptz) returns void language sql
begin atomic
  select from tasker.create_token(p_name, sha256(p_name::bytea), 'tasker_worker', '{*}', p_expires_at => p_ends);
end;

select pg_temp.token('for_ever', null), pg_temp.token('later', '2026-03-08 12:00:01+00');
select results_eq('table tokens', $$ values ('ok', 'none ends within a week') $$, 'the finding is ok while no token ends within a week');
select results_eq('table ending', 'values (0::bigint)', 'and health counts none');
select pg_temp.token('b', '2026-03-08 12:00+00'), pg_temp.token('a', '2026-03-02 06:30+00'), pg_temp.token('revoked', '2026-03-02 06:30+00');
select from tasker.revoke_token('revoked');
select results_eq(
  'table tokens', $$ values ('warn', 'end within a week: a at 2026-03-02 06:30Z, b at 2026-03-08 12:00Z') $$,
  'the finding names those that end, the first one first, without the revoked one'
);
select results_eq('table ending', 'values (2::bigint)', 'and health counts them');
select pg_temp.token('c' || n, '2026-03-08 12:00+00') from generate_series(1, 9) as n;
select matches((select t.message from tokens as t), '^11 end within a week: a .*, c8 at 2026-03-08 12:00Z and 1 more$', 'it names ten');
select tasker_test.pass('7 days');
select results_eq('table tokens', $$ values ('warn', 'end within a week: later at 2026-03-08 12:00Z') $$, 'a token that has ended is no longer named');
select tasker_test.pass('2 seconds');
select results_eq('table ending', 'values (0::bigint)', 'nor counted');

select * from finish();
rollback;
