begin;
select plan(4);

select tasker_test.freeze();
create temporary table made as
  select tasker_test.create_task(p_start_at => tasker.clock() + (6 - u.no) * interval '1 hour') as task, u.no
    from generate_series(1, 5) as u (no);

select tasker_test.pass('1 day');
select is(tasker.fire_due_timers(2), 2, 'a call fires as many timers as it is told');
select results_eq(
  $$
  select m.no
    from made as m
   cross join lateral tasker.get_task(m.task) as t
   where t.state = 'steps_in_process'
   order by m.no
  $$,
  'values (4), (5)', 'the timers that were due first have fired'
);
select is(tasker.fire_due_timers(2), 2, 'the next call fires two more');
select is(tasker.fire_due_timers(2), 1, 'the last call fires the rest');

select * from finish();
rollback;
