begin;
select plan(10);

select tasker_test.freeze();
create temporary table cases as
  select s.state::text as state, tasker_test.make_task_in(s.state::text) as task
    from tasker.task_states as s
   where not s.terminal;

select ok(tasker.cancel_task(c.task), format('a task that is %s', c.state)) from cases as c order by c.state;
select is_empty(
  $$
  select c.state, s.name, s.state
    from cases as c
    join tasker.workflow_steps as s on s.task_uuid = c.task
    join tasker.step_states as d on d.state = s.state
   where not d.terminal
  $$,
  'no open step is left'
);
select is_empty('select v from cases as c cross join tasker_test.violations(c.task) as v', 'every invariant holds');

select * from finish();
rollback;
