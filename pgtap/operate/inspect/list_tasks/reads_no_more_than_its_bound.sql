-- Filters without an index read as many tasks as the setting says, of those that match the other filters. A list that ends there says so.
begin;
select plan(21);

select tasker.register_task_template('{"namespace": "test", "name": "job", "identity_strategy": "always_unique", "steps": [{"name": "a", "handler": "test.a"}]}') as _ \gset
select tasker.set_setting('list_reads', '1000', 'the test', 'fewer tasks') as _ \gset
select task_uuid as made from tasker.create_task('test', 'job', '{}', p_initiator => 'first') \gset
create function pg_temp.make(p_from integer, p_to integer, p_text text default null) returns void language sql as $$
  insert into tasker.tasks (task_uuid, named_task_uuid, state, complete, total_steps, transition_count, completed_at, correlation_id, initiator, context)
  select tasker.task_uuid_of(tasker.uuid_generate_v7()), t.named_task_uuid, 'complete', true, 1, 2, t.requested_at, t.correlation_id,
         case when n in (5, 3998, 4000) then 'rare' end, jsonb_build_object('n', n, 'text', p_text)
    from tasker.tasks as t
   cross join generate_series(p_from, p_to) as n
   where t.initiator = 'first'
   order by n;
$$;
set local session_replication_role = replica;
select pg_temp.make(1, 4000) as _ \gset
analyze tasker.tasks;

create function pg_temp.reads(p_filter text) returns bigint language plpgsql as $$
declare
  v_call text;
begin
  execute format(
    'create or replace function pg_temp.call() returns integer language plpgsql as '
    '%L', format('begin perform tasker.list_tasks(%s); return 0; exception when sqlstate $c$TK422$c$ then return 1; end', p_filter));
  v_call := 'select pg_temp.call()';
  perform tasker_test.buffers(v_call);
  return tasker_test.buffers(v_call);
end;
$$;
create temporary table filters as
  select f.filter, f.place, pg_temp.reads(f.filter) as buffers
    from unnest(array[
      $$ p_error => 'no such error' $$, $$ p_handler => 'test.b' $$, $$ p_step => 'b' $$, $$ p_longer_than => '1 year' $$, $$ p_initiator => 'nobody' $$,
      $$ p_schedule => 'none' $$, $$ p_where => '$.n < 0' $$, $$ p_error => 'no', p_namespace => 'test', p_after => '00000000-0000-0000-0000-000000000001' $$
    ]) with ordinality as f (filter, place);
set local session_replication_role = origin;
select throws_ok(
  $$ select tasker.list_tasks(p_initiator => 'rare') $$, 'TK422', 'the list has read 1,000 tasks without filling the page', 'a list that its bound ends says so');
create function pg_temp.refusal(p_filter text) returns text language plpgsql as $$
declare
  v_detail text;
  v_hint text;
begin
  execute format('select tasker.list_tasks(%s)', p_filter);
  return 'none';
exception
  when sqlstate 'TK422' then
    get stacked diagnostics v_detail = pg_exception_detail, v_hint = pg_exception_hint;
    return v_detail || E'\n' || v_hint;
end;
$$;
select task_uuid as newest from tasker.tasks as t where t.context @@ '$.n == 4000' \gset
select task_uuid as third from tasker.tasks as t where t.context @@ '$.n == 3998' \gset
select task_uuid as last from tasker.tasks as t where t.context @@ '$.n == 3001' \gset
select is(pg_temp.refusal($$ p_initiator => 'rare' $$), format(
  'Tasks found: %s, %s.' || E'\n' || 'A limit of 2 lists them. Narrow the list by time, by a tag, by a condition on an attribute, or by a state. p_before => ''%s'' goes on where the list has stopped.', :'newest', :'third', :'last'), 'it names the tasks found and where to go on');
select is((select count(*) from tasker.list_tasks(p_initiator => 'rare', p_limit => 2)), 2::bigint, 'that limit lists them');
select is(array(select t.task_uuid from tasker.list_tasks(p_where => '$.n > 3990', p_limit => 3) as t), array(
  select t.task_uuid from tasker.tasks as t where t.context @@ '$.n > 3997' order by t.task_uuid desc), 'the newest come first');
select is((select count(*) from tasker.list_tasks(p_initiator => 'rare', p_requested_before => 'epoch')), 0::bigint, 'a list that reads all tasks of its range is whole');
select matches(pg_temp.refusal($$ p_initiator => 'rare', p_before => '$$ || :'last' || $$'$$), '^Tasks found: none\.', 'the next part has none');
select is((select count(*) from tasker.list_tasks(p_initiator => 'rare', p_before => (
  select t.task_uuid from tasker.tasks as t where t.context @@ '$.n == 900'))), 1::bigint, 'the last part is whole');
select matches(pg_temp.refusal($$ p_initiator => 'none', p_after => '00000000-0000-0000-0000-000000000001' $$), 'p_after => ''[-0-9a-f]{36}'' goes on', 'oldest first goes on with p_after');
select is((select count(*) from tasker.list_tasks(p_initiator => 'none', p_state => 'open')), 0::bigint, 'ended tasks are no part of the open ones');

set local session_replication_role = replica;
select pg_temp.make(4001, 16000) as _ \gset
set local session_replication_role = origin;
analyze tasker.tasks;
select cmp_ok(pg_temp.reads(f.filter), '<', f.buffers + f.buffers / 4 + 100, f.filter || 'reads no more beside 16,000 tasks than beside 4,000') from filters as f order by f.place;


-- A million bytes of context are the bound of p_where here. A page ends before it.
set local session_replication_role = replica;
select pg_temp.make(16001, 16500, (select string_agg(md5(g::text), '') from generate_series(1, 300) as g)) as _ \gset
set local session_replication_role = origin;
select throws_like($$ select tasker.list_tasks(p_where => '$.n < 0') $$, 'the list has read 1__ tasks without filling the page', 'contexts have a bound, too');
select is((select count(*) from tasker.list_tasks(p_where => '$.n > 16490', p_limit => 10)), 10::bigint, 'a page that is full before the bound is whole');
select cmp_ok(pg_temp.reads($$ p_where => '$.n < 0' $$), '<', 3000::bigint, 'large contexts are not read beyond it');
select throws_ok($$ select tasker.list_tasks(p_where => '$.n < 0', p_limit => 0) $$, 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'other bounds hold');

select * from finish();
rollback;
