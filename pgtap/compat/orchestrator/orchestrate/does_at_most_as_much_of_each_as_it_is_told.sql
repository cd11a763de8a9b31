begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.create_task(p_start_at => tasker.clock() + interval '1 hour') from generate_series(1, 5);
select tasker_test.create_task(p_deferred => true) from generate_series(1, 5);

select tasker_test.pass('2 hours');
select results_eq(
  'select o.timers_fired, o.tasks_advanced, o.next_due_at <= tasker.clock() from tasker.orchestrate(3) as o',
  'values (3, 3, true)', 'a call does three of each, and says that more is due'
);
select results_eq('select o.timers_fired, o.tasks_advanced from tasker.orchestrate(3) as o', 'values (2, 2)', 'the next call does the rest');

select * from finish();
rollback;
