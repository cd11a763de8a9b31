begin;
select plan(10);

select tasker_test.begin_function();
select tasker_test.keep(1, 'charge', '1');
prepare go_on (integer, jsonb) as
  select a.answer::text, a.round
    from tasker.continue_step(tasker_test.the_step('work'), tasker_test.claim_no('work'), $2, $1) as a;
select results_eq($$ execute go_on (0, '{"n": 1}') $$, $$ values ('continued', 1) $$, 'the first round ends');
select results_eq($$ execute go_on (0, '{"n": 1}') $$, $$ values ('continued', 1) $$, 'a repeat begins the same round');
select is(tasker_test.keep(1, 'charge', '2'), 'kept', 'the next round keeps a result');
select results_eq($$ execute go_on (0, '{"n": 1}') $$, $$ values ('continued', 1) $$, 'a late repeat gets the same answer');
select results_eq(
  $$ select k.value from tasker.get_kept_results(tasker_test.the_step('work')) as k $$, $$ values ('2'::jsonb) $$,
  'a late repeat deletes nothing that the next round has kept'
);
select results_eq($$ execute go_on (1, '{"n": 2}') $$, $$ values ('continued', 2) $$, 'the next round ends');
select results_eq($$ execute go_on (0, '{"n": 1}') $$, $$ values ('continued', 1) $$, 'a repeat that comes two rounds late gets the same answer');
select is(
  (select s.function_state from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.step_no = 1),
  '{"n": 2}'::jsonb, 'a late repeat does not change the state'
);
select throws_ok(
  $$ execute go_on (3, '{}') $$, 'TK422', format('step %s is in round 2, not in round 3', tasker_test.the_step('work')), 'a round that has not begun is refused'
);
select throws_ok(
  $$ execute go_on (-1, '{}') $$, 'TK422', format('step %s is in round 2, not in round -1', tasker_test.the_step('work')), 'a negative round is refused'
);

select * from finish();
rollback;
