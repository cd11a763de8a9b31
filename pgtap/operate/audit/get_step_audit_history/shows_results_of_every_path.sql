begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task(p_deadline => tasker.clock() + interval '10 hours');
select tasker_test.run('top');
select tasker.complete_step_manually(tasker_test.the_step('left'), '{"by": "hand"}', 'by phone', 'ann');
select tasker_test.claim('right');
select tasker_test.pass('10 hours');
select tasker.fire_due_timers();

select results_eq(
  $$
  select a.step_name, a.event, a.success, a.worker_uuid, a.actor, a.reason, a.error
    from tasker.get_task_audit_history(tasker_test.the_task()) as a
   order by a.step_no
  $$,
  $$
  values
    ('top',   'EnqueueForOrchestration', true,  '00000000-0000-0000-0000-0000000000c1'::uuid, null,  null,       null),
    ('left',  'CompleteManually',        true,  null,                                         'ann', 'by phone', null),
    ('right', 'EnqueueForOrchestration', false, '00000000-0000-0000-0000-0000000000c1',       null,  null,       'its deadline has passed')
  $$,
  'the audit has results of a worker, an operator and a deadline'
);
select tasker_test.make_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select tasker_test.complete_step(tasker_test.the_step('top'));
select is(
  (select count(*) from tasker.get_step_audit_history(tasker_test.the_step('top')) as a where a.success), 1::bigint, 'the audit has the result of a direct call'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
