begin;
select plan(22);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "parcel", "identity_strategy": "always_unique", "on_failure": "fail",
  "steps": [{"name": "pack", "retry": {"max_attempts": 1}}]}');
create function pg_temp.runs() returns text language sql as $$
  select string_agg(t.state || ' ' || t.context, ', ' order by t.context -> 'n') from tasker.tasks as t where tasker.task_uuid_of(t.parent_step_uuid) = tasker_test.the_task();
$$;
create function pg_temp.work() returns text language sql as $$
  select s.state::text from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('work');
$$;
create function pg_temp.without_uuids(p_text text) returns text language sql as $$
  select regexp_replace(p_text, '[0-9a-f]{8}-[0-9a-f-]{27}', '…', 'g');
$$;

-- One.
select tasker_test.begin_function();
select is(tasker_test.suspend(1, '{"tasks": [{"name": "parcel", "context": {"n": 7, "text": "$.x"}}]}', '$run.ship'), 'suspended', 'a function that starts a task is suspended');
select is(tasker_test.suspend(1, '{"tasks": [{"name": "parcel", "context": {"n": 7, "text": "$.x"}}]}', '$run.ship'), 'suspended', 'so is a repeat');
select is((select x.summary from tasker.explain_step(tasker_test.the_step('work')) as x), 'Its function is about to start 1 tasks of "parcel": the next claim or orchestrator does.', 'it says what it is about to do');
select tasker_test.settle();
select is(pg_temp.runs(), 'steps_in_process {"n": 7, "text": "$.x"}', 'a task starts, with the context as it is');
select alike((select x.summary from tasker.explain_step(tasker_test.the_step('work')) as x), 'Its function waits for 1 tasks, of which 1 are open: task % ("parcel"), which is steps_in_process.', 'it says what it waits for');
select is((select array_agg(t.parent_step) from tasker.get_task_tree(tasker_test.the_task()) as t where t.level = 1), '{work}', 'the tree has the task');
select is((select count(*) from tasker.list_tasks(p_parent_task_uuid => tasker_test.the_task()) as t), 1::bigint, 'so has the list');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds while it runs');
select tasker_test.pack();
select is(pg_temp.without_uuids(tasker_test.run_function()), '$run.ship {"by": "task", "tasks": [{"result": {"pack": {"packed": 7}}, "task_uuid": "…"}]}', 'the function goes on with the result');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds when the function goes on');

-- Many, of which one fails.
select is(tasker_test.suspend(2, '{"tasks": [{"name": "parcel", "context": {"n": 0}}, {"name": "parcel", "context": {"n": 1}}, {"name": "parcel", "context": {"n": 2}}]}', '$run.all'), 'suspended', 'a function may start many at once');
select tasker_test.settle();
select tasker_test.pack('{1}', 2);
select is(pg_temp.work(), 'suspended', 'it waits for all of them');
select throws_like(
  $$ select tasker.rerun_step(tasker.step_uuid(t.task_uuid, 1), 'again') from tasker.tasks as t where t.context = '{"n": 7, "text": "$.x"}' $$,
  '%has taken the result of task%', 'a task whose result was taken does not run again'
);
select tasker_test.pack();
select alike(
  pg_temp.without_uuids(tasker_test.run_function()),
  '%, $run.all {"by": "task", "tasks": [{"result": {"pack": {"packed": 0}}, "task_uuid": "…"}, {"error": "task … failed: step __pack__: no box", "task_uuid": "…"}, {"result": {"pack": {"packed": 2}}, "task_uuid": "…"}]}',
  'their ends are in order, with the error of the one that failed'
);
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds with a failure');

-- A wait that ends before its tasks cancels them; another call starts others.
select is(tasker_test.suspend(3, '{"tasks": [{"name": "parcel", "context": {"n": 3}}], "timeout": "1h"}', '$run.late'), 'suspended', 'a wait may have a timeout');
select tasker_test.settle();
select tasker_test.pass('2 hours');
select tasker_test.settle();
select alike(tasker_test.run_function(), '%$run.late {"by": "timeout"}', 'time ends the wait');
select is(tasker_test.suspend(4, '{"tasks": [{"name": "parcel", "context": {"n": 4}}]}', '$run.next'), 'suspended', 'the function starts another');
select tasker_test.settle();
select alike(pg_temp.runs(), '%cancelled {"n": 3}, steps_in_process {"n": 4}, complete {"n": 7%', 'the task of the wait that ended is cancelled, the other one runs');
select tasker.cancel_task(tasker_test.the_task());
select tasker_test.settle();
select alike(pg_temp.runs(), '%cancelled {"n": 4}, complete {"n": 7%', 'cancelling the task cancels what its function waits for');
select is_empty('select tasker_test.parcel_problems()', 'every invariant holds after the cancellation');
select is((select count(*) from tasker.get_task_tree(tasker_test.the_task())), 7::bigint, 'the tree has all that the function started');

select * from finish();
rollback;
