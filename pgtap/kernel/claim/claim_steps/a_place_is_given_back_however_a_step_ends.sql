begin;
select plan(12);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "pay", "identity_strategy": "always_unique", "steps": [
  {"name": "pay", "limit": "stripe", "retry": {"max_attempts": 2, "base_seconds": 10, "backoff": "constant"}}
]}');
select tasker.set_limit('test', 'stripe', 1);
select tasker_test.make_limited(20);

create temporary table claimed as select c.task_uuid, c.step_uuid, c.claim_no from tasker_test.claim() as c;
create function pg_temp.next() returns bigint language plpgsql as $$
begin
  truncate claimed;
  insert into claimed select c.task_uuid, c.step_uuid, c.claim_no from tasker_test.claim() as c;
  return (select count(*) from claimed);
end;
$$;
select is(pg_temp.next(), 0::bigint, 'a second step does not start while one runs');
insert into claimed select q.task_uuid, tasker.step_uuid(q.task_uuid, q.step_no), q.claim_no from tasker.step_queue as q where q.lane = 'running';

select from claimed as c cross join lateral tasker.fail_steps(array[c.step_uuid], array[c.claim_no], '{no}');
select is(pg_temp.next(), 1::bigint, 'a failed step that will be retried gives its place back');
select from claimed as c cross join lateral tasker.fail_steps(array[c.step_uuid], array[c.claim_no], '{no}', '{true}');
select is(pg_temp.next(), 1::bigint, 'a step that failed for good gives its place back');
select from claimed as c cross join lateral tasker.retry_step(c.step_uuid, 'again');
select from claimed as c cross join lateral tasker.cancel_task(c.task_uuid);
select is(pg_temp.next(), 1::bigint, 'a cancelled step gives its place back');
select from claimed as c cross join lateral tasker.release_steps(array[c.step_uuid], array[c.claim_no]);
select is(pg_temp.next(), 1::bigint, 'a released step gives its place back');
select tasker_test.pass('2 minutes');
select is(pg_temp.next(), 1::bigint, 'a lost step gives its place back');
select from claimed as c cross join lateral tasker.complete_step_manually(c.step_uuid, '{}', 'done by hand');
select is(pg_temp.next(), 1::bigint, 'a step that an operator completed gives its place back');
select from claimed as c cross join lateral tasker.resolve_step_manually(c.step_uuid, 'by hand');
select is(pg_temp.next(), 1::bigint, 'a step that an operator resolved gives its place back');
select from claimed as c cross join lateral tasker.transition_step_state_atomic(c.step_uuid, 'in_progress', 'enqueued_for_orchestration');
select is(pg_temp.next(), 1::bigint, 'a step that a direct call moved gives its place back');
select from claimed as c cross join lateral tasker.reset_task(c.task_uuid);
select is((select count(*) from tasker.step_queue as q where q.lane = 'running'), 1::bigint, 'one step runs');
select is_empty($$ select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v $$, 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
