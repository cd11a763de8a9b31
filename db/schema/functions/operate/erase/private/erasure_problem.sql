create or replace function tasker.erasure_problem(p_task_uuid uuid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return (
    select case
             when t.erased_at is not null then 'already'
             when not t.complete then 'open'
             -- A note that has not been fired yet would copy the result to the parent after the erasure.
             when exists (select from tasker.timers as m where m.task_uuid = p_task_uuid) then 'noted'
             when exists (
               select
                 from tasker.selection_entries as e
                 join tasker.mass_actions as m
                   on m.selection_uuid = e.selection_uuid
                where e.task_uuid = p_task_uuid
                  and (m.state = 'running' or m.state = 'done' and m.open > 0)
             ) then 'acted_on'
           end
      from tasker.tasks as t
     where t.task_uuid = p_task_uuid
  );
end;
$$;

comment on function tasker.erasure_problem is
$$Returns why a task cannot be erased, as a value of tasker.task_erasures.outcome. Returns null if the task can be
erased. The caller holds the task's lock.$$;
