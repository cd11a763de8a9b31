-- Creation reads two rows that triggers keep. Each change of what they come from shows in the next creation of the same session.
begin;
select plan(22);

select tasker_test.freeze('2050-01-20 12:00Z');
select tasker.ensure_partitions();
select tasker_test.allow_starts();
select tasker.register_task_template('{"namespace": "test", "name": "t", "version": "1.0.0", "identity_strategy": "always_unique", "steps": [{"name": "a", "handler": "work"}]}');
create function pg_temp.made(p_context jsonb default '{}')
  returns tasker.tasks
  language plpgsql
as $$
declare
  v_uuid uuid;
begin
  v_uuid := (select c.task_uuid from tasker.create_task('test', 't', p_context) as c);
  return (select t from tasker.tasks as t where t.task_uuid = v_uuid);
end;
$$;
create function pg_temp.started(p_handlers text[] default null)
  returns text[]
  language sql
as $$
  select array_agg(s.name order by s.step_no)
    from tasker.start_task('test', 't', '00000000-0000-0000-0000-0000000000c1', '{}', p_handlers) as s
$$;
create function pg_temp.notified()
  returns bigint
  language sql
as $$
  select count(*) from tasker.settings_now as c cross join tasker.creation_plans as p where p.name = 't' and coalesce(p.notify, c.notify) = 'asleep'
$$;
select is((pg_temp.made()).total_steps, 1, 'the first creation');

select tasker.register_task_template('{"namespace": "test", "name": "t", "version": "2.0.0", "identity_strategy": "always_unique", "steps": [{"name": "a", "handler": "work"}, {"name": "b", "handler": "mail"}]}');
select is((pg_temp.made()).total_steps, 2, 'a new version is taken');
select is((pg_temp.made()).active_steps, 2, 'with its first steps');
select tasker.retire_task_template('test', 't', '2.0.0');
select is((pg_temp.made()).total_steps, 1, 'a retired version is not');
select tasker.register_task_template('{"namespace": "test", "name": "t", "version": "3.0.0", "identity_strategy": "always_unique", "steps": [{"name": "a", "handler": "work"}, {"name": "b", "handler": "mail"}, {"name": "c", "await": {"signal": "go"}}]}');
select is((pg_temp.made()).suspended_steps, 1, 'a step that waits is suspended');

select tasker.set_setting('context_bytes', '1024');
select throws_ok(
  $$ select pg_temp.made(jsonb_build_object('a', repeat('x', 2000))) $$, 'TK413', 'context of task "test/t" is too large', 'the setting context_bytes holds at once'
);
select tasker.set_setting('context_bytes', '4096');
select lives_ok($$ select pg_temp.made(jsonb_build_object('a', repeat('x', 2000))) $$, 'and so does the next value');
select tasker.set_setting('lease_seconds', '77');
select pg_temp.started();
select results_eq(
  $$ select distinct s.lease_seconds from tasker.workflow_steps as s where s.lease_seconds is not null $$, 'values (77)', 'the setting lease_seconds holds at once'
);

select is(pg_temp.started(), '{a,b}', 'a worker gets the first steps');
select tasker.pause_namespace('test', 'ann');
select is(pg_temp.started(), '{null}', 'none in a paused namespace');
select tasker.resume_namespace('test', 'ann');
select is(pg_temp.started(), '{a,b}', 'all after the pause');
select tasker.pause_handler('test', 'work', p_actor => 'ann');
select is(pg_temp.started(), '{b}', 'none of a paused handler');
select tasker.resume_handler('test', 'work');
select tasker.set_limit('test', 'one', 1);
select tasker.register_task_template('{"namespace": "test", "name": "t", "version": "4.0.0", "identity_strategy": "always_unique", "steps": [{"name": "a", "handler": "work"}, {"name": "b", "handler": "mail", "limit": "one"}]}');
select is(pg_temp.started(), '{a}', 'a step that names a limit is left to claims');
select results_eq(
  $$ select q.lane::text from tasker.step_queue as q where q.limit_no is not null $$, $$ values ('limited') $$, 'it stands in the line of the limit'
);

select tasker_test.open_shop();
select tasker.register_task_template('{"namespace": "test", "name": "t", "version": "5.0.0", "identity_strategy": "always_unique", "steps": [{"name": "a", "handler": "work"}, {"name": "s", "sql": "test_shop.note"}]}');
select is(pg_temp.started(), '{a}', 'a step that the database runs is left to it');

select tasker.set_schedule('test', 'hourly', 't', p_every_seconds => 3600, p_context => '{"by": "tick"}');
select tasker.run_schedule_now('test', 'hourly', 'ann');
select is((select t.total_steps from tasker.tasks as t where t.context = '{"by": "tick"}'), 2, 'a schedule creates from the newest version');
select is((pg_temp.made()).identity_hash, null, 'and leaves its identity to its own tasks');

create role test_bound;
grant tasker_submitter to test_bound;
select tasker.register_namespace('other');
select tasker.bind_role('test_bound', '{other}');
set local role test_bound;
select throws_ok($$ select tasker.create_task('test', 't') $$, 'TK403', 'role "test_bound" may not work in namespace "test"', 'a role that was bound meanwhile is refused');
reset role;
select tasker.bind_role('test_bound', null);

select tasker.set_setting('notify', 'off');
select is(pg_temp.notified(), 0::bigint, 'the setting notify is read');
select tasker.set_setting('notify', 'asleep');

-- A gap in the ranges, and a time behind the last one.
delete from tasker.partition_ranges as r where r.starts_at > tasker.clock();
select results_eq(
  'select c.covered_until from tasker.settings_now as c', $$ select max(r.ends_at) from tasker.partition_ranges as r $$, 'a range that is gone is not counted on'
);
select tasker_test.pass('100 years');
select ok(
  tasker.uuid_v7_time((pg_temp.made()).task_uuid) >= (select max(r.ends_at) - interval '1 second' from tasker.partition_ranges as r),
  'behind the ranges the last one takes the task'
);
select is_empty(
  $$ select tasker_test.violations(t.task_uuid) from tasker.tasks as t $$, 'every invariant holds'
);

select * from finish();
rollback;
