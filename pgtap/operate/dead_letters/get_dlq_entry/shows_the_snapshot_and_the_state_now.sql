begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.make_task_in('error');
select tasker.create_dlq_entry(tasker_test.the_task());
select tasker_test.move_task(tasker_test.the_task(), 'pending');
select tasker_test.pass('90 seconds');
select results_eq(
  $$ select e.original_state::text, e.current_state::text, e.minutes_in_dlq, e.task_snapshot #>> '{task,state}'
       from tasker.tasks_dlq as d cross join lateral tasker.get_dlq_entry(d.dlq_entry_uuid) as e $$,
  $$ values ('error', 'pending', 1.50, 'error') $$, 'the entry has both states'
);
select throws_ok($$ select tasker.get_dlq_entry('01980000-0000-7000-8000-000000000000') $$, 'TK404', 'dead-letter entry 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown entry is refused');
select throws_ok($$ select tasker.get_dlq_entry(null) $$, 'TK404', 'dead-letter entry null does not exist', 'a null entry is refused');

select * from finish();
rollback;
