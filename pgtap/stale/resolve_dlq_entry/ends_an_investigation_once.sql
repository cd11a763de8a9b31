begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task_in('error');
select tasker.create_dlq_entry(tasker_test.the_task(), p_notes => 'first');
create temporary table entry as select d.dlq_entry_uuid from tasker.tasks_dlq as d;
select throws_ok(
  $$ select tasker.resolve_dlq_entry(e.dlq_entry_uuid, 'pending') from entry as e $$,
  'TK422', 'an investigation cannot end as "pending"', 'not as what it is'
);
select is(tasker.resolve_dlq_entry(e.dlq_entry_uuid, 'permanently_failed', 'no use'), true, 'by this call') from entry as e;
select is(tasker.resolve_dlq_entry(e.dlq_entry_uuid, 'cancelled'), false, 'not by a second one') from entry as e;
select results_eq(
  'select d.resolution_status, d.resolution_timestamp, d.resolution_notes, d.resolved_by from tasker.tasks_dlq as d',
  $$ select 'permanently_failed', tasker.clock(), 'no use', session_user::text collate "default" $$, 'with time, notes and who'
);
select is(tasker.get_current_task_state(tasker_test.the_task()), 'error', 'the task stays as it is');
select throws_ok($$ select tasker.resolve_dlq_entry('01980000-0000-7000-8000-000000000000', 'cancelled') $$, 'TK404', 'dead-letter entry 01980000-0000-7000-8000-000000000000 does not exist', 'no such entry');

select * from finish();
rollback;
