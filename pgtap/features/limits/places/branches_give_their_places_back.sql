begin;
select plan(17);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "race", "identity_strategy": "always_unique", "steps": [
  {"name": "a"},
  {"name": "b", "limit": "one"},
  {"name": "c", "limit": "run", "limit_hold": "run", "retry": {"base_seconds": 60, "max_attempts": 3}},
  {"name": "d", "limit": "two", "limits": [{"limit": "three", "limit_units": 2}]},
  {"name": "e", "limit": "none", "limit_hold": "run"},
  {"name": "z", "dependencies": ["a", "b", "c", "d", "e"], "join": "first"}]}');
select tasker.set_limit('test', 'none', 0);
select tasker_test.launch('race');
create function pg_temp.in_use() returns text language sql as $$
  select coalesce(string_agg(l.name || ' ' || l.in_use, ', ' order by l.name) filter (where l.in_use > 0), 'nothing') from tasker.list_limits('test') as l;
$$;
select is((select count(*) from tasker_test.claim(10)), 4::bigint, 'four of five branches run');
select is(tasker_test.fail('c'), 'retrying', 'one waits for its next attempt, and keeps its place');
select is(pg_temp.in_use(), 'one 1, run 1, three 2, two 1', 'the branches hold places');
select is(tasker_test.complete('a'), 'completed', 'the branch without a limit wins');
select tasker.fire_due_timers(1000);
select is(
  tasker_test.all_states(), 'steps_in_process: a complete, b cancelled, c cancelled, d cancelled, e cancelled, z enqueued', 'the losers are cancelled'
);
select is(pg_temp.in_use(), 'nothing', 'the losers give their places back, whether they run, wait for an attempt or for a place');
select is_empty('select from tasker.limit_places', 'no row is left of them');
select is(tasker_test.complete('b'), 'cancelled', 'a late result of a loser changes nothing');
select is(pg_temp.in_use(), 'nothing', 'and gives nothing back twice');

select tasker.register_task_template('{"namespace": "test", "name": "branch", "identity_strategy": "always_unique", "steps": [
  {"name": "a", "limit": "run", "limit_hold": "run", "retry": {"retryable": false}},
  {"name": "m", "for_each": "$.list", "limit": "run", "limit_hold": "run", "allow_failures": 1, "retry": {"retryable": false}},
  {"name": "f", "dependencies": [{"step": "a", "on": "failed"}]}]}');
select tasker_test.launch('branch', '{"list": [1]}');
select tasker.fire_due_timers(1000);
select is((select count(*) from tasker_test.claim(10) as c where c.task_uuid = tasker_test.the_task()), 2::bigint, 'a step and an element of a map run');
select is(pg_temp.in_use(), 'run 2', 'both hold places');
select tasker.fail_steps(array_agg(tasker.step_uuid(q.task_uuid, q.step_no)), array_agg(q.claim_no), array_agg('no'::text))
  from tasker.step_queue as q where q.lane = 'running' and q.task_uuid = tasker_test.the_task();
select is(pg_temp.in_use(), 'nothing', 'tolerated failures give places back');
select is_empty('select from tasker.limit_places', 'no row is left of them, either');

select tasker.register_task_template('{"namespace": "test", "name": "undo", "identity_strategy": "always_unique", "on_undo": "drain", "steps": [
  {"name": "a", "compensate": "ua", "limit": "run", "limit_hold": "run"},
  {"name": "b", "limit": "run", "limit_hold": "run"},
  {"name": "w", "limit": "none", "limit_hold": "run"}]}');
select tasker_test.launch('undo');
select tasker_test.claim(10);
select tasker_test.complete('a');
select tasker.cancel_task(tasker_test.the_task());
select tasker.fire_due_timers(1000);
select is(pg_temp.in_use(), 'run 1', 'a step that an undo awaits keeps its place');
select tasker_test.complete('b');
select tasker.fire_due_timers(1000);
select is(pg_temp.in_use(), 'nothing', 'it gives the place back when it ends');
select is_empty($$ select from tasker.limit_places as h join tasker.workflow_steps as s on s.task_uuid = h.task_uuid and s.step_no = h.step_no where s.undo_no is null $$, 'no row is left of steps that an undo cancelled');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
