begin;
select plan(3);

select tasker_test.freeze();
create temporary table cases as
  select s.state::text as state, tasker_test.make_task_in(s.state::text) as task
    from tasker.task_states as s
   where not s.terminal;
insert into tasker.timers (task_uuid, kind, due_at)
select c.task, 'task_deadline', tasker.clock() from cases as c;

select is(tasker.fire_due_timers(), 16, 'all eight deadlines fire');
select is_empty(
  $$ select c.state from cases as c cross join lateral tasker.get_task(c.task) as t where t.state is distinct from 'error' $$, 'all tasks have failed'
);
select is_empty('select v from cases as c cross join tasker_test.violations(c.task) as v', 'every invariant holds');

select * from finish();
rollback;
