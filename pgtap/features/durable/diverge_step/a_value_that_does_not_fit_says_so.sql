begin;
select plan(3);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function('{"retry": {"max_attempts": 1}}');
select tasker_test.keep(1, 'charge', '1');
select results_eq(
  $$ select a.answer::text, a.name from tasker.diverge_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), 1, 'charge') as a $$,
  $$ values ('suspended', 'charge') $$, 'the step is suspended'
);
select is(
  (select e.summary from tasker.explain_step(tasker_test.the_step('work')) as e),
  'Its function has changed: the value that its call 1, "charge", has kept does not fit the type that it asks for. It is tried again at 2026-11-22 12:00:10Z; run a worker whose code fits what is kept. Its function has kept one result, as "charge".',
  'explain_step says that the value does not fit'
);
select is(
  (select h.reason from tasker.get_step_history(tasker_test.the_step('work')) as h order by h.sort_key desc limit 1),
  'the value that its call 1, "charge", has kept does not fit what the function asks for', 'so does its history'
);

select * from finish();
rollback;
