begin;
select plan(6);

select tasker_test.freeze();
create temporary table made as
  select tasker_test.create_task(p_start_at => tasker.clock() + u.hours * interval '1 hour') as task, u.hours
    from generate_series(1, 4) as u (hours);

select is(tasker.fire_due_timers(), 0, 'no task starts before its time');
select tasker_test.pass('3 hours');
select is(tasker.fire_due_timers(), 3, 'all due tasks start');
select results_eq(
  $$ select m.hours, t.state::text from made as m cross join lateral tasker.get_task(m.task) as t order by m.hours $$,
  $$ values (1, 'steps_in_process'), (2, 'steps_in_process'), (3, 'steps_in_process'), (4, 'pending') $$,
  'a task whose time has not come stays pending'
);
select is(
  (select count(distinct t.started_at) from made as m cross join lateral tasker.get_task(m.task) as t where t.started_at = tasker.clock()),
  1::bigint, 'started_at is the time of the call'
);
select is(tasker.fire_due_timers(), 0, 'a repeated call fires nothing');
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select * from finish();
rollback;
