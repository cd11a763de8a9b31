begin;
select plan(9);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function();
select is(tasker_test.keep(1, 'charge', '{"paid": 12}'), 'kept', 'a value is kept');
select is(tasker_test.keep(2, 'refund', null, 'the bank is closed'), 'kept', 'an error is kept');
select is(tasker_test.keep(3, 'nothing', 'null'), 'kept', 'null is kept as a value');
select tasker_test.fail('work');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.pass('1 minute');
select is(
  tasker_test.run_function(), 'charge {"paid": 12}, refund the bank is closed, nothing ', 'the next attempt gets all results in order'
);
select is(
  (select c.kept is null from tasker.claim_steps('{test}', tasker_test.worker(2)) as c), true, 'a claim of a step that has kept nothing returns null'
) from (select tasker_test.create_waiting('plain', '[{"name": "plain"}]')) as x;
select is(
  (select s.function_round is null from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task()), true, 'a step that has kept nothing has no round'
);
select results_eq(
  $$ select k.position, k.name, k.occurrence, k.value, k.error from tasker.workflow_steps as s
      cross join lateral tasker.get_kept_results(s.workflow_step_uuid) as k
      where s.name = 'work' and s.moved_at >= '2026-11-22 12:00:00+00' order by k.position $$,
  $$ values (1, 'charge', 1, '{"paid": 12}'::jsonb, null), (2, 'refund', 1, null, 'the bank is closed'), (3, 'nothing', 1, 'null', null) $$,
  'the view of kept results shows them'
);
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
