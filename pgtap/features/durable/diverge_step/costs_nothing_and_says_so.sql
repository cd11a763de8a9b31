-- Case A2.4: new code asks for something else than what is kept.
begin;
select plan(15);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function('{"retry": {"max_attempts": 1}}');
select tasker_test.keep(1, 'charge', '1');
prepare diverge as
  select a.answer::text, a.name from tasker.diverge_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), 1, 'fraud') as a;
select results_eq('execute diverge', $$ values ('suspended', 'charge') $$, 'the step is suspended');
select results_eq('execute diverge', $$ values ('suspended', null::text) $$, 'a repeat gets the same answer');
select is(tasker_test.states(), 'waiting_for_dependencies: work=suspended after=pending', 'the step does not fail');
select is(
  (select e.summary from tasker.explain_step(tasker_test.the_step('work')) as e),
  'Its function has changed: as its call 1 it asks for "fraud", but "charge" is kept there. It is tried again at 2026-11-22 12:00:10Z; run a worker whose code fits what is kept, or let the new code in with worker.Changed. Its function has kept one result, as "charge".',
  'explain_step says where the code differs'
);
select ok((select c.diverged_steps >= 1 from tasker.get_system_health_counts() as c), 'health counts the step');
select is_empty($$ select from tasker.list_waits('test') as w where w.task_uuid = tasker_test.the_task() $$, 'list_waits does not show the step');
select is((select count(*) from tasker.list_waits('test', p_signal => '$diverged') as w where w.task_uuid = tasker_test.the_task()), 1::bigint, 'list_waits shows the step if it is asked for $diverged');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');
select tasker_test.pass('10 seconds');
select is(tasker_test.run_function(), 'charge 1', 'another worker gets the step with what was kept');
select is((select s.attempts from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('work')), 1, 'the step is in its first attempt');
execute diverge;
select is((select e.due_at from tasker.explain_step(tasker_test.the_step('work')) as e), '2026-11-22 12:00:30+00'::timestamptz, 'the second pause is longer than the first');
select throws_ok(
  $$ select tasker_test.signal('$diverged') $$, 'TK422', '"$diverged" is no name of a signal', 'no signal ends the suspension'
);
select tasker_test.pass('1 minute');
select tasker_test.run_function();
select throws_ok(
  $$ select * from tasker.diverge_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), 2, 'fraud') $$,
  'TK422', format('step %s has kept nothing at position 2', tasker_test.the_step('work')), 'a position at which nothing is kept is refused'
);
select results_eq(
  $$ select a.answer::text from tasker.diverge_step(tasker_test.the_step('work'), 1, 1, 'fraud') as a $$, $$ values ('stale') $$, 'another claim is stale'
);

select * from finish();
rollback;
