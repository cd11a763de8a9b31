begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task(p_start_at => tasker.clock() + interval '1 hour');

select is_empty(
  $$ select from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) $$, 'before the time there is nothing'
);
select tasker_test.pass('1 hour');
select is(
  (select c.step_uuid from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) as c),
  tasker_test.the_step('top'), 'a claim starts the task, and takes its first step'
);
select tasker_test.fail_for_good('top', false);
select is_empty(
  $$ select from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) $$, 'it failed and waits'
);
select tasker_test.pass('1 hour');
select is(
  (select c.attempt from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000c1', 10) as c), 2,
  'until a claim finds that the wait is over'
);
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
