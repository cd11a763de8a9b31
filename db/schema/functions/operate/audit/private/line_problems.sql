create or replace function tasker.line_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- Each open task of a template that bounds its runs has a place or waits for a place, and no other task
  -- does.
  select t.task_uuid, null::integer, null::integer, 'runs', 'lacks the run of an open task'
    from tasker.tasks as t
    join tasker.creation_plans as p
      on p.named_task_uuid = t.named_task_uuid
   where p.runs is not null
     and not t.complete
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and not exists (select from tasker.runs as r where r.task_uuid = t.task_uuid and r.state <> 'ended')
  union all
  select r.task_uuid, null, null, 'runs', x.problem
    from tasker.runs as r
    left join tasker.tasks as t
      on t.task_uuid = r.task_uuid
    left join tasker.creation_plans as p
      on p.named_task_uuid = r.named_task_uuid
   cross join lateral (
     select case
       when r.state = 'ended' then case when not exists (select from tasker.timers as m where m.task_uuid = r.task_uuid and m.kind = 'serve_run')
         then 'lacks the note that starts the next task of a key' end
       when t.complete is not false and not (r.state = 'running' and t.state is not distinct from 'error' and p.runs -> 'sequence' = 'true')
         then format('has the run (%s) of no open task', r.state)
       when r.state = 'waiting' and not exists (select from tasker.timers as m where m.task_uuid = r.task_uuid and m.kind = 'start_task')
         then 'waits for a place of its key, and would start without one'
     end as problem
   ) as x
   where x.problem is not null
     and r.task_uuid >= p_from
     and r.task_uuid < p_to
  union all
  -- The first task in line, if places are free and no note will give the task a place.
  select l.task_uuid, null, null, 'runs', 'waits for a place of its key, of which some are free'
    from (
      select distinct on (r.namespace, r.name, r.run_key) r.*
        from tasker.runs as r
       where r.state = 'waiting'
         and r.line_at <= tasker.clock()
       order by r.namespace, r.name, r.run_key, r.rank desc, r.line_at, r.line_no
    ) as l
   where l.task_uuid >= p_from
     and l.task_uuid < p_to
     and not exists (
       select
         from tasker.runs as r
        where r.namespace = l.namespace
          and r.name = l.name
          and r.run_key = l.run_key
          and (r.state = 'running' or exists (select from tasker.timers as m where m.task_uuid = r.task_uuid and m.kind = 'serve_run'))
     );
end;
$$;

comment on function tasker.line_problems is
$$Finds open tasks that have no place and do not wait for a place, although their template bounds its runs by key. Also
finds places of tasks that have ended, and lines that will not move.$$;
