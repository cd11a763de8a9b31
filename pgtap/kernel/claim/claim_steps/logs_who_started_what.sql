begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim(10, 7);
select results_eq(
  $$ select l.event, l.from_state::text, l.to_state::text, l.claim_no, l.worker_uuid, l.created_at = tasker.clock()
       from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() order by l.sort_key $$,
  $$ values ('Enqueue', 'pending', 'enqueued', 0, null::uuid, true),
            ('Start', 'enqueued', 'in_progress', 1, tasker_test.worker(7), true) $$,
  'the log has the worker and the claim number'
);
select is(tasker_test.the_state(), 'steps_in_process', 'the task keeps its state');

select * from finish();
rollback;
