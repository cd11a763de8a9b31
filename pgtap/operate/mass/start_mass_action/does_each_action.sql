begin;
select plan(20);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.fail_orders(14);
select tasker.register_task_template('{"namespace": "test", "name": "order", "version": "2", "steps": [{"name": "charge"}]}');
create function pg_temp.steps(p_from integer, p_to integer)
  returns uuid[]
  language sql
begin atomic
  select array_agg(tasker.step_uuid(t.task_uuid, 1)) from (select t.task_uuid, row_number() over (order by t.task_uuid) as no from tasker.tasks as t) as t where t.no between p_from and p_to;
end;
create function pg_temp.act(p_kind text, p_ids uuid[], p_action text, p_arguments jsonb default '{}')
  returns text
  language plpgsql
as $$
declare
  v_set tasker.selection_details;
begin
  perform tasker_test.pass('1 second');
  select s.* into v_set from tasker.create_selection(p_kind, '{}', p_ids => p_ids) as s;
  perform tasker.start_mass_action(v_set.selection_uuid, p_action, v_set.entries, 'test', p_arguments, p_at_once => true);
  return tasker_test.mass();
end;
$$;
create function pg_temp.tasks(p_from integer, p_to integer)
  returns uuid[]
  language sql
begin atomic
  select array_agg(tasker.task_uuid_of(u.id)) from unnest(pg_temp.steps(p_from, p_to)) as u (id);
end;

select is(pg_temp.act('tasks', pg_temp.tasks(1, 2), 'cancel'), 'done, stage 3: 0 wait, 0 open, 2 passed, 0 failed, 0 skipped', 'tasks are cancelled');
select is(pg_temp.act('tasks', pg_temp.tasks(1, 3), 'cancel'), 'done, stage 3: 0 wait, 0 open, 1 passed, 0 failed, 2 skipped', 'those that were are skipped');
select is(pg_temp.act('tasks', pg_temp.tasks(3, 4), 'reset'), 'done, stage 3: 0 wait, 1 open, 0 passed, 0 failed, 1 skipped', 'a cancelled task is not reset');
select results_eq($$ select e.note like 'task % is cancelled and cannot be reset' from tasker.selection_entries as e where e.state = 'skipped' order by e.selection_uuid desc limit 1 $$,
  'values (true)', 'its note says why');
select tasker_test.complete_claimed();
select is(pg_temp.act('tasks', pg_temp.tasks(5, 6), 'resolve'), 'done, stage 3: 0 wait, 0 open, 2 passed, 0 failed, 0 skipped', 'tasks are resolved by hand');
select is(pg_temp.act('tasks', pg_temp.tasks(7, 8), 'fork', '{"version": "2"}'), 'done, stage 3: 0 wait, 2 open, 0 passed, 0 failed, 0 skipped', 'tasks are forked to a version');
select results_eq(
  $$ select k.version, count(*) from tasker.tasks as t join tasker.named_tasks as k on k.named_task_uuid = t.named_task_uuid and k.version = '2' group by 1 $$,
  $$ values ('2', 2::bigint) $$, 'two tasks of that version exist'
);
select results_eq($$ select t.state::text from tasker.tasks as t where t.task_uuid = any (pg_temp.tasks(7, 8)) $$, $$ values ('cancelled'), ('cancelled') $$, 'the old ones are cancelled');
select results_eq(
  $$ select count(*) from tasker.selection_entries as e join tasker.tasks as t on t.task_uuid = e.result_uuid where e.task_uuid = any (pg_temp.tasks(7, 8)) $$,
  'values (2::bigint)', 'each entry names its new task'
);
select tasker_test.complete_claimed();
select is(tasker_test.mass(), 'done, stage 3: 0 wait, 0 open, 2 passed, 0 failed, 0 skipped', 'the forks have passed');
select is(pg_temp.act('tasks', pg_temp.tasks(4, 4), 'fork', '{"version": "2", "cancel": false}'), 'done, stage 3: 0 wait, 0 open, 0 passed, 0 failed, 1 skipped', 'without a failed step a fork needs its step');
select is(pg_temp.act('steps', pg_temp.steps(9, 9), 'retry'), 'done, stage 3: 0 wait, 1 open, 0 passed, 0 failed, 0 skipped', 'steps are retried');
select tasker_test.fail_claimed(1);
select is(tasker_test.mass(), 'done, stage 3: 0 wait, 0 open, 0 passed, 1 failed, 0 skipped', 'it failed again');
select is(pg_temp.act('steps', pg_temp.steps(9, 10), 'complete', '{"results": {"paid": true}}'), 'done, stage 3: 0 wait, 0 open, 2 passed, 0 failed, 0 skipped', 'steps are completed by hand');
select results_eq($$ select s.results from tasker.workflow_steps as s where tasker.step_uuid(s.task_uuid, s.step_no) = any (pg_temp.steps(9, 10)) $$,
  $$ values ('{"paid": true}'::jsonb), ('{"paid": true}') $$, 'with the results');
select is(pg_temp.act('steps', pg_temp.steps(11, 11), 'resolve'), 'done, stage 3: 0 wait, 0 open, 1 passed, 0 failed, 0 skipped', 'steps are resolved by hand');
select tasker.create_dlq_entry(u.id) from unnest(pg_temp.tasks(12, 13)) as u (id);
select is(pg_temp.act('dead_letters', array(select d.dlq_entry_uuid from tasker.tasks_dlq as d), 'requeue'), 'done, stage 3: 0 wait, 2 open, 0 passed, 0 failed, 0 skipped', 'dead letters are requeued');
select is(pg_temp.act('dead_letters', array(select d.dlq_entry_uuid from tasker.tasks_dlq as d), 'requeue'), 'done, stage 3: 0 wait, 0 open, 0 passed, 0 failed, 2 skipped', 'once');
select results_eq($$ select t.state::text from tasker.tasks as t where t.task_uuid = any (pg_temp.tasks(14, 14)) $$, $$ values ('blocked_by_failures') $$, 'a task that no set has stays as it is');
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
