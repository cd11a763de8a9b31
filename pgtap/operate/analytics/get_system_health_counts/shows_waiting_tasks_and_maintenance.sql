begin;
select plan(5);

select tasker_test.freeze();
select tasker.get_system_health_counts();
select tasker_test.make_task();
select tasker.create_dlq_entry(tasker_test.the_task());
select tasker_test.pass('90 seconds');
create temporary table health as select * from tasker.get_system_health_counts();
select results_eq('select h.waiting_tasks, h.oldest_waiting_seconds from health as h', $$ values (1::bigint, 90::float8) $$, 'it returns the tasks that wait for an orchestrator and the age of the oldest');
select results_eq('select h.pending_dlq_entries from health as h', array[1::bigint], 'it counts the open dead letters');
select results_eq('select h.partitions_until from health as h', 'select max(r.ends_at) from tasker.partition_ranges as r', 'it returns how far partitions reach');
select results_eq('select h.rolled_up_until from health as h', $$ select nullif(r.rolled_up_until, '-infinity') from tasker.rollup_state as r $$, 'it returns the time of the last rollup');
select tasker_test.make_task_with_steps_in_every_state();
select tasker.roll_up();
select results_eq('select h.retries_total from tasker.get_system_health_counts() as h', 'select count(*) from tasker.workflow_step_transition_log as l where l.to_state = $$waiting_for_retry$$', 'it counts the retries');

select * from finish();
rollback;
