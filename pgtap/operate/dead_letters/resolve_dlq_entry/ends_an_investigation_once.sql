begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.make_task_in('error');
select tasker.create_dlq_entry(tasker_test.the_task(), p_notes => 'first');
create temporary table entry as select d.dlq_entry_uuid from tasker.tasks_dlq as d;
select throws_ok(
  $$ select tasker.resolve_dlq_entry(e.dlq_entry_uuid, 'pending') from entry as e $$,
  'TK422', 'an investigation cannot end as "pending"', 'an investigation cannot end as pending'
);
select is(tasker.resolve_dlq_entry(e.dlq_entry_uuid, 'permanently_failed', 'no use', 'ann'), true, 'the first call returns true') from entry as e;
select is(tasker.resolve_dlq_entry(e.dlq_entry_uuid, 'cancelled'), false, 'the second call returns false') from entry as e;
select results_eq(
  'select d.resolution_status, d.resolution_timestamp, d.resolution_notes, d.resolved_by from tasker.tasks_dlq as d',
  $$ select 'permanently_failed', tasker.clock(), 'no use', 'ann' $$, 'the entry has the time, the notes and the actor'
);
select is(tasker.get_current_task_state(tasker_test.the_task()), 'error', 'the task keeps its state');
select throws_ok($$ select tasker.resolve_dlq_entry('01980000-0000-7000-8000-000000000000', 'cancelled') $$, 'TK404', 'dead-letter entry 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown entry is refused');

select * from finish();
rollback;
