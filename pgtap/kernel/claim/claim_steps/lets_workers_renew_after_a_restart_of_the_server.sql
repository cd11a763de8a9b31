begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.pass('10 minutes');
create or replace function tasker.leases_heard_since() returns timestamptz language sql stable as
  $$ select tasker.clock() - interval '59 seconds' $$;
select is_empty('select from tasker_test.claim()', 'a lease does not end while the server has been up for less than it');
select is(tasker.next_due_at('{test}') - tasker.clock(), interval '1 second', 'next_due_at is the end of that time');
select is_empty($$ select from tasker.claim_step(tasker_test.the_step('top'), tasker_test.worker(2)) $$, 'claim_step does not take the step over');
select throws_ok(
  format($$ select tasker.transition_step_state_atomic(%L, 'in_progress', 'enqueued', null, '{"event": "LeaseExpired"}') $$,
    tasker_test.the_step('top')),
  'TK409',
  format('step %s cannot leave in_progress by LeaseExpired: the lease of its worker has not ended', tasker_test.the_step('top')),
  'a direct call does not take the step over'
);
select is(
  (select l.answer::text from tasker.extend_leases(array[tasker_test.the_step('top')], array[tasker_test.claim_no('top')], 1) as l),
  'extended', 'the worker may still renew its lease'
);
select tasker_test.pass('1 second');
create or replace function tasker.leases_heard_since() returns timestamptz language sql stable as
  $$ select tasker.clock() - interval '1 second' $$;
select is((select count(*) from tasker_test.claim() as c), 1::bigint, 'the step is lost after the second of its renewed lease');
select is((select s.lost_count from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')), 1, 'the loss is counted');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
