begin;
select plan(4);

select tasker_test.freeze();
create temporary table made as
  select tasker_test.create_task(p_start_at => tasker.clock() + (6 - u.no) * interval '1 hour') as task, u.no
    from generate_series(1, 5) as u (no);

select tasker_test.pass('1 day');
select is(tasker.fire_due_timers(2), 2, 'two');
select results_eq(
  $$
  select m.no
    from made as m
   cross join lateral tasker.get_task(m.task) as t
   where t.state = 'steps_in_process'
   order by m.no
  $$,
  'values (4), (5)', 'those that were due first'
);
select is(tasker.fire_due_timers(2), 2, 'two more');
select is(tasker.fire_due_timers(2), 1, 'and the last');

select * from finish();
rollback;
