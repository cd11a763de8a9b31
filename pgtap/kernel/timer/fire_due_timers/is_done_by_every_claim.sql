begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task(p_start_at => tasker.clock() + interval '1 hour');

select is_empty(
  $$ select from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) $$, 'a claim gets nothing before the start'
);
select tasker_test.pass('1 hour');
select is(
  (select c.step_uuid from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) as c),
  tasker_test.the_step('top'), 'a claim starts the task and takes its first step'
);
select tasker_test.fail_for_good('top', false);
select is_empty(
  $$ select from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) $$, 'a claim gets nothing while the step waits for a retry'
);
select tasker_test.pass('1 hour');
select is(
  (select c.attempt from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) as c), 2,
  'a claim gets the step when its wait is over'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
