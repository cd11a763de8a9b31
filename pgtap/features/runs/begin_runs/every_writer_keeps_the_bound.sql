-- Each function that creates a task, with a place of the key taken: the task waits, and it starts when the place is free.
begin;
select plan(36);

select tasker_test.register_runs('{"key": "$.key"}', '{"start_on": {"event": "asked"}}');
select tasker_test.job(0);
create function pg_temp.waits(p_what text) returns setof text language plpgsql as $$
declare
  v_task tasker.tasks;
  v_runs bigint;
begin
  select t.* into v_task from tasker.tasks as t join tasker.runs as r on r.task_uuid = t.task_uuid where r.state = 'waiting';
  select count(*) into v_runs from tasker.runs as r where r.state = 'running';
  return next is(concat_ws(' ', v_task.state, v_runs), 'pending 1', p_what || ' waits');
  perform tasker_test.finish_jobs();
  return next is((select t.state::text from tasker.tasks as t where t.task_uuid = v_task.task_uuid), 'steps_in_process', 'and starts when the place is free');
end;
$$;

select lives_ok($$ select tasker.create_task('test', 'job', '{"n": 1, "key": "k"}') $$, 'create_task');
select pg_temp.waits('a task of create_task');
select lives_ok($$ select tasker.create_tasks('test', 'job', '{"{\"n\": 2, \"key\": \"k\"}"}') $$, 'create_tasks');
select pg_temp.waits('a task of create_tasks');
select lives_ok($$ select tasker.create_task('test', 'job', '{"n": 21, "key": "k"}', p_throttle_limit => 100, p_throttle_seconds => 1) $$, 'a throttled request');
select pg_temp.waits('a throttled task');
select lives_ok($$ select tasker.create_requested_task('{"namespace": "test", "name": "job", "context": {"n": 22, "key": "k"}}') $$, 'a request by message');
select pg_temp.waits('a task of a message');
-- start_task wants a transaction of its own: this is what it calls.
select lives_ok($$
  select tasker.make_task(jsonb_populate_record(null::tasker.task_requests, jsonb_build_object(
    'namespace', 'test', 'name', 'job', 'contexts', array['{"n": 3, "key": "k"}'::jsonb], 'worker_uuid', tasker_test.worker(), 'claim_limit', 10
  )))
$$, 'start_task');
select is((select count(*) from tasker.workflow_steps as s where s.state = 'in_progress'), 0::bigint, 'start_task hands out no step of a task that waits');
select pg_temp.waits('a task of start_task');
select lives_ok($$ select tasker.emit_event('test', 'asked', p_payload => '{"n": 4, "key": "k"}') $$, 'emit_event');
select pg_temp.waits('a task of an event');
select lives_ok($$
  select tasker.set_schedule('test', 'nightly', 'job', p_every_seconds => 3600, p_context => '{"n": 5, "key": "k"}');
  select tasker.run_schedule_now('test', 'nightly')
$$, 'run_schedule_now');
select pg_temp.waits('a task of a schedule');
select lives_ok($$ select tasker.fork_task(tasker_test.job_of(1), 'a') $$, 'fork_task');
select pg_temp.waits('a fork');
select lives_ok($$
  select tasker.register_task_template('{"namespace": "test", "name": "parent", "identity_strategy": "always_unique", "steps": [{"name": "child", "task": {"name": "job"}}]}');
  select tasker.create_task('test', 'parent', '{"n": 7, "key": "k"}');
  select tasker.fire_due_timers()
$$, 'a step that starts a task');
select pg_temp.waits('a task of a step');
select tasker_test.finish_jobs();
select is((select t.state::text from tasker.list_tasks('test', 'parent') as t), 'complete', 'its step gets the result');
select tasker_test.job(8);
select lives_ok($$
  select tasker.create_task('test', 'job', '{"n": 9, "key": "k"}', p_deferred => true)
$$, 'a deferred start');
select pg_temp.waits('a task for an orchestrator');

-- A reset and a step that runs again.
select tasker_test.finish_jobs();
select tasker_test.job(10);
select lives_ok($$ select tasker.rerun_step(tasker.step_uuid(tasker_test.job_of(2), 1), 'wrong') $$, 'rerun_step');
select pg_temp.waits('a task that is open again');
select tasker_test.finish_jobs();
select is_empty($$ select * from tasker.check_integrity() $$, 'check_integrity finds nothing');

select * from finish();
rollback;
