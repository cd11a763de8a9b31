begin;
select plan(9);

select tasker_test.freeze();
create temporary table entries (id uuid);
create function pg_temp.requeued(p_state text) returns text language plpgsql as $$
declare
  v_entry uuid;
begin
  perform tasker_test.make_task_in(p_state);
  v_entry := tasker.create_dlq_entry(tasker_test.the_task());
  insert into entries values (v_entry);
  perform tasker.requeue_dlq_entry(v_entry, 'again');
  return tasker.get_current_task_state(tasker_test.the_task());
end;
$$;
select is(pg_temp.requeued('error'), 'steps_in_process', 'a failed task is reset and continues');
select is((select l.reason from tasker.task_transition_log as l where l.event = 'Reset'), 'again', 'its log has the reason');
select is(pg_temp.requeued('blocked_by_failures'), 'steps_in_process', 'a blocked task is reset and continues');
select is(tasker.get_current_step_state(tasker_test.the_step('top')), 'enqueued', 'its failed step is enqueued');
select is(pg_temp.requeued('steps_in_process'), 'steps_in_process', 'an open task continues');
select set_eq(
  'select d.resolution_status from tasker.tasks_dlq as d', array['manually_resolved'], 'the investigations have ended'
);
select is(tasker.requeue_dlq_entry((select e.id from entries as e limit 1)), false, 'a second call returns false');
select is_empty('select tasker_test.violations(t.task_uuid) from tasker.tasks as t', 'every invariant holds');
select throws_ok($$ select tasker.requeue_dlq_entry('01980000-0000-7000-8000-000000000000') $$, 'TK404', 'dead-letter entry 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown entry is refused');

select * from finish();
rollback;
