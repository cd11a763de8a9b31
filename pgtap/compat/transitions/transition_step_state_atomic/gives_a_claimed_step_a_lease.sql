begin;
select plan(6);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.start_task();
select tasker.set_setting('lease_seconds', '90');

prepare lease as
  select s.lease_until, q.visible_at, s.worker_uuid
    from tasker.workflow_steps as s
    join tasker.step_queue as q
      on q.task_uuid = s.task_uuid
     and q.step_no = s.step_no
   where s.workflow_step_uuid = tasker_test.the_step('top');

select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000a'
);
select results_eq(
  'lease',
  $$
  values (timestamptz '2050-01-20 12:01:30+00', timestamptz '2050-01-20 12:01:30+00', '00000000-0000-0000-0000-00000000000a'::uuid)
  $$,
  'a claimed step belongs to its worker until its lease ends'
);

select tasker_test.pass('1 minute');
select tasker_test.move_step(tasker_test.the_step('top'), 'enqueued');
select results_eq(
  'lease',
  $$ values (null::timestamptz, timestamptz '2050-01-20 12:01:00+00', '00000000-0000-0000-0000-00000000000a'::uuid) $$,
  'a released step has no lease'
);

select tasker.transition_step_state_atomic(
  tasker_test.the_step('top'), 'enqueued', 'in_progress', '00000000-0000-0000-0000-00000000000b'
);
select results_eq(
  'lease',
  $$
  values (timestamptz '2050-01-20 12:02:30+00', timestamptz '2050-01-20 12:02:30+00', '00000000-0000-0000-0000-00000000000b'::uuid)
  $$,
  'the next worker gets a lease of its own'
);

select tasker_test.move_step(tasker_test.the_step('top'), 'enqueued_for_orchestration');
select results_eq(
  'lease',
  $$ values (null::timestamptz, timestamptz '2050-01-20 12:01:00+00', '00000000-0000-0000-0000-00000000000b'::uuid) $$,
  'a result ends the lease'
);
select tasker_test.move_step(tasker_test.the_step('top'), 'complete');
select is_empty('lease', 'a step that has ended has no queue row');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
