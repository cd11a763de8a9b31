begin;
select plan(4);

prepare broken as
  select p.outcome, p.start_state, p.position
    from (
      select p.*, lag(p.to_state) over w as before, row_number() over w as no, count(*) over (partition by p.outcome, p.start_state) as steps
        from tasker.task_paths as p
      window w as (partition by p.outcome, p.start_state order by p.position)
    ) as p
   where p.position <> p.no
      or p.from_state <> coalesce(p.before, p.start_state)
      or p.last <> (p.no = p.steps)
      or not exists (
        select from tasker.task_state_machine as m where (m.from_state, m.event, m.to_state) = (p.from_state, p.event, p.to_state)
      );
select is_empty('execute broken', 'each transition begins where the previous one ended, and only the final one is marked as last');
select results_eq(
  $$ select p.outcome, p.to_state::text from tasker.task_paths as p where p.last group by 1, 2 order by 1 $$,
  $$ values ('blocked', 'blocked_by_failures'), ('complete', 'complete'), ('enqueued', 'steps_in_process'),
            ('failed', 'error'), ('retrying', 'waiting_for_retry'), ('running', 'steps_in_process'), ('waiting', 'waiting_for_dependencies') $$,
  'each path ends in the state of its outcome'
);
select bag_eq(
  $$
  select o.outcome, s.state::text
    from (select distinct p.outcome, max(p.to_state) filter (where p.last) over (partition by p.outcome) as goal from tasker.task_paths as p) as o
   cross join tasker.task_states as s
   where not s.terminal
     and not exists (select from tasker.task_paths as p where (p.outcome, p.start_state) = (o.outcome, s.state))
  $$,
  $$ values ('blocked', 'blocked_by_failures'), ('retrying', 'waiting_for_retry'), ('running', 'steps_in_process'), ('waiting', 'waiting_for_dependencies') $$,
  'a path is missing only where the task is already in the state of its outcome'
);
select is_empty(
  $$ select from tasker.task_paths as p join tasker.task_states as s on s.state = p.start_state where s.terminal $$, 'no path begins in a terminal state'
);

select * from finish();
rollback;
