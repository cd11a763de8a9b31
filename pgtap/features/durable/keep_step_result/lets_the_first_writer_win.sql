begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.begin_function();
select is(tasker_test.keep(1, 'charge', '1'), 'kept', 'the first result is kept');
select results_eq(
  $$ select a.answer::text, a.value from tasker.keep_step_result(tasker_test.the_step('work'), tasker_test.claim_no('work'), 1, 'charge', 1, '2') as a $$,
  $$ values ('known', '1'::jsonb) $$, 'a repeat gets the kept result'
);
select results_eq(
  $$ select a.answer::text, a.name from tasker.keep_step_result(tasker_test.the_step('work'), tasker_test.claim_no('work'), 1, 'refund', 1, '2') as a $$,
  $$ values ('diverged', 'charge') $$, 'a call with another name has diverged'
);
select results_eq(
  $$ select a.answer::text from tasker.keep_step_result(tasker_test.the_step('work'), tasker_test.claim_no('work'), 1, 'charge', 2, '2') as a $$,
  $$ values ('diverged') $$, 'a call with another occurrence has diverged'
);
select throws_ok(
  $$ select tasker_test.keep(3, 'ship') $$, 'TK422', format('position 3 is not the next one of step %s', tasker_test.the_step('work')), 'a position that leaves a gap is refused'
);
select is((select count(*) from tasker.kept_results as k where k.task_uuid = tasker_test.the_task()), 1::bigint, 'one result is kept');

select * from finish();
rollback;
