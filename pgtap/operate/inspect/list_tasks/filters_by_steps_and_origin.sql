begin;
select plan(10);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.register('order', 'charge');
select tasker.register_task_template('{"namespace": "test", "name": "keyed", "identity_strategy": "caller_provided", "steps": [{"name": "a", "handler": "pack"}]}');
create temporary table made as
  select 'a' as name, tasker_test.launch('order') as task_uuid
  union all
  select 'b', tasker_test.launch('order')
  union all
  select 'c', c.task_uuid from tasker.create_task('test', 'keyed', '{}', p_identity_key => 'K-1', p_initiator => 'ann') as c;
create temporary table claimed as select c.task_uuid, c.step_uuid, c.claim_no from tasker_test.claim() as c where c.task_uuid = (select m.task_uuid from made as m where m.name = 'a');
select count(*) from tasker.fail_steps(array(select c.step_uuid from claimed as c), array(select c.claim_no from claimed as c), array['No Tax rate for XK'], array[true]);
select tasker.set_schedule('test', 'nightly', 'order', p_cron => '0 3 * * *');
insert into made select 'd', r.task_uuid from tasker.run_schedule_now('test', 'nightly') as r;

create function pg_temp.names(p_uuids uuid[])
  returns text
  language sql
as $$
  select coalesce(string_agg(m.name, '' order by m.name), '') from made as m where m.task_uuid = any (p_uuids);
$$;

select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_identity_key => 'K-1') as t)), 'c', 'it filters by key');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_initiator => 'ann') as t)), 'c', 'it filters by initiator');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_schedule => 'nightly') as t)), 'd', 'it filters by schedule');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_handler => 'pack') as t)), 'c', 'it filters by handler');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_step => 'charge') as t)), 'abd', 'it filters by step');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_error => 'no tax') as t)), 'a', 'it filters by a part of the error, in any case of letters');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_step => 'a', p_error => 'no tax') as t)), '', 'the error is that of the step');
select tasker_test.pass('10 min');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_longer_than => '10 min') as t)), 'abcd', 'it filters by how long a task takes');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_longer_than => '11 min') as t)), '', 'a task that is open counts until now');
select is(
  (select p.words from tasker.preview_selection('tasks', '{"error": "no tax", "longer_than": "1 minute", "handler": "charge"}') as p),
  '1 task with a step of handler charge with an error that contains "no tax" that take at least 1 minute', 'a selection has the same filters'
);

select * from finish();
rollback;
