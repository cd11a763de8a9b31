begin;
select plan(14);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.ten(p_name text, p_on_failure text default 'continue') returns void language sql as $$
  select from tasker_test.create_waiting(
    p_name, '[{"name": "each", "for_each": "$.lines", "allow_failures": 2}, {"name": "after", "dependencies": ["each"]}]',
    jsonb_build_object('on_failure', p_on_failure), '{"lines": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}'
  );
$$;
create function pg_temp.counts() returns text language sql as $$
  select format('%s, %s failed: ', t.state, t.failed_steps) || (select string_agg(x.n || ' ' || x.state, ', ' order by x.state::text) from (
      select count(*) as n, s.state from tasker.workflow_steps as s where s.task_uuid = t.task_uuid and s.map_no is not null group by s.state
    ) as x) || ', ' || (select s.state || coalesce(': ' || s.last_error, '') from tasker.workflow_steps as s where s.task_uuid = t.task_uuid and s.name = 'each')
    from tasker.tasks as t where t.task_uuid = tasker_test.the_task();
$$;

select pg_temp.ten('two', 'halt');
select tasker_test.expand();
select tasker_test.claim('each[4]');
select tasker_test.fail_for_good('each[4]');
select is(pg_temp.counts(), 'steps_in_process, 0 failed: 1 cancelled, 9 enqueued, pending', 'a tolerated failure is cancelled');
select results_eq(
  $$ select l.event from tasker.workflow_step_transition_log as l
      where l.task_uuid = tasker_test.the_task() and l.step_no = tasker.step_no_of(tasker_test.the_step('each[4]')) order by l.sort_key $$,
  array['Enqueue', 'Start', 'EnqueueForOrchestration', 'Fail', 'Tolerate'], 'the log shows that it failed first'
);
select tasker_test.finish_instances('each', 1000, '{7}');
select tasker_test.expand();
select is(pg_temp.counts(), 'steps_in_process, 0 failed: 2 cancelled, 8 complete, complete', 'the map completes with two tolerated failures');
select is(
  (select (c.parent_results -> 'each' -> 4)::text || ' ' || (c.parent_results -> 'each' -> 5)::text || ' ' || jsonb_array_length(c.parent_results -> 'each')
     from tasker.claim_steps('{test}', tasker_test.worker(), 1, 60, '{after}') as c),
  'null {"got": 5} 10', 'tolerated failures leave null in their places of the array'
);
select tasker_test.finish('after');
select is(pg_temp.counts(), 'complete, 0 failed: 2 cancelled, 8 complete, complete', 'the task completes');
select is_empty($$ select from tasker.check_integrity() as p where p.task_uuid = tasker_test.the_task() $$, 'the check of integrity finds nothing');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.create_waiting('other', '[{"name": "other"}]');
select pg_temp.ten('three');
select tasker_test.expand();
select tasker_test.claim('each[9]');
select tasker_test.finish_instances('each', 3, '{0, 1, 2}');
select is(
  pg_temp.counts(), 'steps_in_process, 2 failed: 8 cancelled, 1 error, 1 in_progress, error: 3 of its 10 elements failed, and allow_failures is 2',
  'the third failure fails the map, and what has not started is cancelled'
);
select is((select s.state::text from tasker.workflow_steps as s where s.name = 'other'), 'enqueued', 'a step of another task that has not started stays enqueued');
select is_empty('select tasker_test.violations()', 'every invariant holds while one runs');
select tasker_test.finish('each[9]');
select is(pg_temp.counts(), 'blocked_by_failures, 2 failed: 8 cancelled, 1 complete, 1 error, error: 3 of its 10 elements failed, and allow_failures is 2', 'the running instance ends');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty($$ select from tasker.check_integrity() as p where p.task_uuid = tasker_test.the_task() $$, 'the check of integrity finds nothing');
select tasker.resolve_step_manually(tasker_test.the_step('each[2]')), tasker.complete_step_manually(tasker_test.the_step('each'), '[1, 2]', p_reason => 'enough');
select is(
  (select c.parent_results from tasker.claim_steps('{test}', tasker_test.worker(), 1, 60, '{after}') as c), '{"each": [1, 2]}',
  'an operator may resolve the map with other results'
);

select * from finish();
rollback;
