-- Suspended for longer than the retention: the range stays, is evacuated with signals, waits and timer, and is dropped in the end.
begin;
select plan(12);

select tasker_test.start_year('2050-06-01 12:00+00', '7 days', '90 days');
select tasker_test.pass('-100 days');
select tasker.ensure_partitions();
select tasker_test.make_task('old') as other \gset
select tasker_test.create_waiting('order', '[
  {"name": "approve", "await": {"signal": "approved"}, "timeout": "200d"},
  {"name": "paid", "dependencies": ["approve"], "await": {"signal": "paid"}}
]') as task \gset
select tasker_test.signal('paid', '{"amount": 1}', 'evt');
select tasker_test.pass('100 days');
select tasker_test.move_task(:'other', 'cancelled');

prepare counts as
  select (select count(*) from tasker.task_signals), (select count(*) from tasker.waits), (select count(*) from tasker.timers)::bigint;
create function pg_temp.outcome() returns text language sql as $$
  select concat_ws(': ', r.outcome, r.detail) from tasker.apply_retention() as r order by r.starts_at limit 1;
$$;
select is(pg_temp.outcome(), 'held: tasks: 1 not ended', 'a task that waits holds its range');
select results_eq('counts', 'values (1::bigint, 1::bigint, 1::bigint)', 'the task has its signal, its wait and its timer');

select matches(
  (select e.outcome || ': ' || e.detail
     from tasker.held_partitions() as h
    cross join lateral tasker.evacuate_partition(h.starts_at) as e),
  '^evacuated: 1 tasks moved', 'the range is evacuated'
);
select results_eq('counts', 'values (1::bigint, 1::bigint, 1::bigint)', 'the signal, the wait and the timer are still there');
select is((select g.tableoid::regclass::text ~ '_e1$' from tasker.task_signals as g), true, 'the signal has moved with its task');
select is_empty('select tasker_test.violations(tasker_test.the_task())', 'no invariant is broken');
select is((select w.step_name from tasker.list_waits('test') as w), 'approve', 'the step is in the inbox');
select is(tasker_test.signal('paid', '{"amount": 1}', 'evt'), 'repeated', 'the key of the signal is known');
select is(tasker_test.signal('approved'), 'delivered approve', 'the wait continues and takes its signal');
select is(tasker_test.states(), 'complete: approve=complete paid=complete', 'the last step takes the signal that was kept for a hundred days');

select matches(pg_temp.outcome(), '^dropped: ', 'the range is dropped after the task has ended');
select results_eq('counts', 'values (0::bigint, 0::bigint, 0::bigint)', 'no row of the task is left');

select * from finish();
rollback;
