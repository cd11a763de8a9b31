begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task(p_start_at => tasker.clock() + interval '3 hours');

select is(
  (select o.next_due_at from tasker.orchestrate() as o), tasker.clock() + interval '3 hours', 'next_due_at is the time of a timer'
);
select tasker_test.pass('3 hours');
select is(
  (select o.next_due_at is null from tasker.orchestrate() as o), true, 'next_due_at is null while a ready step waits for workers'
);
select tasker_test.claim('top');
select is(
  (select o.next_due_at from tasker.orchestrate() as o),
  (select s.lease_until from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top')),
  'next_due_at is the end of a lease'
);

select * from finish();
rollback;
