begin;
select plan(12);

select tasker_test.freeze();
select tasker_test.begin_function();
select tasker_test.keep(1, 'charge', '1');
prepare go_on (jsonb) as
  select a.answer::text, a.round from tasker.continue_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), $1) as a;
select results_eq($$ execute go_on ('{"n": 1}') $$, $$ values ('continued', 1) $$, 'a first round ends');
select is(tasker_test.keep(1, 'charge', '2'), 'kept', 'the same call is made again in the new round');
select results_eq($$ execute go_on ('{"n": 2}') $$, $$ values ('continued', 2) $$, 'the second round ends');
select is((select count(*) from tasker.kept_results as k where k.task_uuid = tasker_test.the_task()), 0::bigint, 'no kept result is left');
select is((select count(*) from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task()), 2::bigint, 'the log has no row for a round');
select tasker.checkpoint_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), '"half of it"');
select tasker_test.fail('work');
select tasker_test.pass('1 hour');
select tasker.fire_due_timers();
select results_eq(
  $$ select c.checkpoint, c.kept, c.attempt from tasker.claim_step(tasker_test.the_step('work'), tasker_test.worker(1)) as c $$,
  $$ values ('"half of it"'::jsonb, '{"round": 2, "count": 0, "results": [], "state": {"n": 2}}'::jsonb, 2) $$, 'the next attempt gets the state and the checkpoint'
);
select results_eq(
  $$ select a.answer::text from tasker.continue_step(tasker_test.the_step('work'), 1, '{}') as a $$, $$ values ('stale') $$, 'another claim is stale'
);
select results_eq(
  $$ select s.checkpoint, s.function_state from tasker.list_steps(tasker_test.the_task()) as s where s.name = 'work' $$,
  $$ values ('"half of it"'::jsonb, '{"n": 2}'::jsonb) $$, 'list_steps shows both'
);
select tasker.set_setting('result_bytes', '10');
select throws_ok($$ execute go_on ('"123456789"') $$, 'TK413', 'a state of 11 bytes is too large', 'a state that is a byte too large is refused');
select throws_ok($$ select * from tasker.continue_step(null, 1, '{}') $$, 'TK422', 'steps and claim numbers do not match', 'a null step is refused');
select throws_ok(
  $$ select * from tasker.continue_step('01980000-0000-7000-8000-000000000001', 1, '{}') $$,
  'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
