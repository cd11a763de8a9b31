begin;
select plan(1);

select set_eq(
  $$
  select o.outcome, s.state
    from (select distinct p.outcome from tasker.task_paths as p) as o
   cross join tasker.task_states as s
   where not s.terminal
     and tasker.task_stays(o.outcome, s.state)
  $$,
  $$
  select o.outcome, s.state
    from (select distinct p.outcome from tasker.task_paths as p) as o
   cross join tasker.task_states as s
   where not s.terminal
     and not exists (select from tasker.task_paths as p where p.outcome = o.outcome and p.start_state = s.state)
  $$,
  'a task stays exactly where task_paths has no path'
);

select * from finish();
rollback;
