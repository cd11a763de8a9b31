begin;
select plan(5);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function('{"retry": {"max_attempts": 1}}');
select results_eq(
  $$ select a.answer::text, a.name from tasker.diverge_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), 0, 'make') as a $$,
  $$ values ('suspended', 'make') $$, 'the step is suspended, though it has kept nothing'
);
select results_eq(
  $$ select a.answer::text from tasker.diverge_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), 0, 'make') as a $$,
  $$ values ('suspended') $$, 'a repeat is answered alike'
);
select matches(
  (select e.summary from tasker.explain_step(tasker_test.the_step('work')) as e),
  '^Its code has changed: the result of "make" does not fit the type that its handler asks for. It is tried again at 2026-11-22 12:00:10Z; run a worker whose code fits the result.',
  'explain_step says that the result does not fit'
);
select is(
  (select h.reason from tasker.get_step_history(tasker_test.the_step('work')) as h order by h.sort_key desc limit 1),
  'the result of "make" does not fit what the handler asks for', 'so does its history'
);
select is((select c.diverged_steps from tasker.get_system_health_counts() as c), 1::bigint, 'the count of health has it');

select * from finish();
rollback;
