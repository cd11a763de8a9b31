begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker_test.pass('10 minutes');
create or replace function tasker.leases_heard_since() returns timestamptz language sql stable as
  $$ select tasker.clock() - interval '59 seconds' $$;
select is_empty('select from tasker_test.claim()', 'the server has been up for less than the lease');
select is(tasker.next_due_at('{test}') - tasker.clock(), interval '1 second', 'its end is when there is something to do');
select is_empty($$ select from tasker.claim_step(tasker_test.the_step('top'), tasker_test.worker(2)) $$, 'by name nobody gets it either');
select throws_ok(
  format($$ select tasker.transition_step_state_atomic(%L, 'in_progress', 'enqueued', null, '{"event": "LeaseExpired"}') $$,
    tasker_test.the_step('top')),
  'TK409',
  format('step %s cannot leave in_progress by LeaseExpired: the lease of its worker has not ended', tasker_test.the_step('top')),
  'nor may a direct call take it'
);
select is(
  (select l.answer from tasker.extend_leases(array[tasker_test.the_step('top')], array[tasker_test.claim_no('top')], 1) as l),
  'extended', 'its worker may still renew'
);
select tasker_test.pass('1 second');
create or replace function tasker.leases_heard_since() returns timestamptz language sql stable as
  $$ select tasker.clock() - interval '1 second' $$;
select is((select count(*) from tasker_test.claim() as c), 1::bigint, 'after the second that it asked for it is lost as ever');
select is((select s.lost_count from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')), 1, 'and counts as lost');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
