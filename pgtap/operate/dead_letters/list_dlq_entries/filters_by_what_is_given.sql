begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.make_task();
select tasker.create_dlq_entry(tasker_test.the_task(), 'worker_unavailable');
select tasker.resolve_dlq_entry((select d.dlq_entry_uuid from tasker.tasks_dlq as d), 'cancelled');
select tasker.create_dlq_entry(tasker_test.the_task());
select tasker_test.make_task();
select tasker.create_dlq_entry(tasker_test.the_task());
select results_eq(
  'select e.dlq_entry_uuid from tasker.list_dlq_entries() as e',
  'select d.dlq_entry_uuid from tasker.tasks_dlq as d order by d.dlq_entry_uuid desc', 'all entries are listed, newest first'
);
select is((select count(*) from tasker.list_dlq_entries('pending')), 2::bigint, 'p_status filters by status');
select is((select count(*) from tasker.list_dlq_entries(p_reason => 'worker_unavailable')), 1::bigint, 'p_reason filters by reason');
select is((select count(*) from tasker.list_dlq_entries(p_namespace => 'test')), 3::bigint, 'p_namespace filters by namespace');
select is((select count(*) from tasker.list_dlq_entries(p_task_uuid => tasker_test.the_task())), 1::bigint, 'p_task_uuid filters by task');
select is(
  (select count(*) from tasker.list_dlq_entries(p_before => (select max(d.dlq_entry_uuid::text)::uuid from tasker.tasks_dlq as d), p_limit => 1)),
  1::bigint, 'p_before pages through the entries'
);
select throws_ok('select tasker.list_dlq_entries(p_limit => 0)', 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a limit of zero is refused');

select * from finish();
rollback;
