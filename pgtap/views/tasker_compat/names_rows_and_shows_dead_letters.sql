begin;
select plan(7);

select tasker_test.make_task();
select tasker_test.move_task(tasker_test.the_task(), 'initializing', 'enqueuing_steps');
select is((select count(distinct e.workflow_step_edge_uuid) from tasker_compat.workflow_step_edges as e), 4::bigint, 'every edge has a UUID of its own');
select is((select count(distinct s.ntns_uuid) from tasker_compat.named_tasks_named_steps as s), 4::bigint, 'every step of a template has a UUID of its own');
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{"n": 1}');
select is(
  (select count(*) from tasker_compat.tasks as t join tasker.tasks as k on k.task_uuid = t.task_uuid where t.identity_hash = encode(k.identity_hash, 'hex')),
  (select count(*) from tasker.tasks as k where k.identity_hash is not null), 'a task is found by its hash in hexadecimal'
);
select isnt_empty('select from tasker.tasks as k where k.identity_hash is not null', 'there is a task with a hash');
select tasker.create_dlq_entry((select t.task_uuid from tasker.tasks as t where t.state = 'enqueuing_steps'));
select results_eq('select d.permanent_failures, d.pending from tasker_compat.v_dlq_dashboard as d', 'values (0::bigint, 1::bigint)', 'the dashboard counts an open investigation');
select results_eq('select d.current_state, d.original_state from tasker_compat.v_dlq_investigation_queue as d', $$ values ('enqueuing_steps', 'enqueuing_steps') $$, 'an investigation shows the state of now');
select is((select d.updated_at from tasker_compat.tasks_dlq as d), (select d.dlq_timestamp from tasker.tasks_dlq as d), 'an entry has a time of change');

select * from finish();
rollback;
