begin;
select plan(1);

select tasker_test.freeze();
select tasker_test.make_task_in('error');
select tasker.create_dlq_entry(tasker_test.the_task(), 'worker_unavailable');
select tasker_test.pass('10 minutes');
select tasker.resolve_dlq_entry((select d.dlq_entry_uuid from tasker.tasks_dlq as d), 'cancelled');
select tasker.create_dlq_entry(tasker_test.the_task(), 'worker_unavailable');
select tasker_test.make_task();
select tasker.create_dlq_entry(tasker_test.the_task());
select results_eq(
  'select d.dlq_reason, d.total_entries, d.pending, d.cancelled, d.avg_resolution_minutes from tasker.get_dlq_dashboard() as d',
  $$ values ('manual_dlq', 1::bigint, 1::bigint, 0::bigint, null), ('worker_unavailable', 2, 1, 1, 10.00) $$, 'entries are counted by reason and status'
);

select * from finish();
rollback;
