begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.make_task_in('complete');
create temporary table made as select tasker.create_dlq_entry(tasker_test.the_task(), 'manual_dlq', 'why', '{"ticket": 7}') as id;
select results_eq(
  'select d.task_uuid, d.original_state::text, d.dlq_reason, d.resolution_status, d.resolution_notes from tasker.tasks_dlq as d',
  $$ select tasker_test.the_task(), 'complete', 'manual_dlq', 'pending', 'why' $$, 'the entry has the task, its state, the reason and the status'
);
select is((select d.metadata ->> 'ticket' from tasker.tasks_dlq as d), '7', 'the entry has the metadata');
select results_eq(
  $$ select k.key, jsonb_array_length(d.task_snapshot -> k.key)
       from tasker.tasks_dlq as d
      cross join (values ('steps'), ('edges'), ('task_history'), ('step_history'), ('queue'), ('timers')) as k (key) $$,
  $$ values ('steps', 4), ('edges', 4),
            ('task_history', (select count(*)::int from tasker.task_transition_log)),
            ('step_history', (select count(*)::int from tasker.workflow_step_transition_log)),
            ('queue', 0), ('timers', 0) $$,
  'the snapshot has steps, edges, logs, queue rows and timers'
);
select is(
  (select d.task_snapshot #>> '{task,name}' from tasker.tasks_dlq as d), 'diamond', 'the snapshot has the name of the template'
);
select is(tasker.create_dlq_entry(tasker_test.the_task()), (select m.id from made as m), 'a task has one open investigation at a time');

select * from finish();
rollback;
