create or replace function tasker.critical_path(p_task_uuid uuid)
  returns integer[]
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
declare
  v_path integer[] := '{}';
  v_no   integer;
begin
  -- Find the end of the path: the step for which the task has waited longest, otherwise the step that moved last.
  select s.step_no
    into v_no
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.undo_no is null
     and s.transition_count > 0
   order by
     s.state in ('complete', 'cancelled', 'resolved_manually', 'error', 'pending'),
     s.state = 'pending',
     case when s.state in ('complete', 'cancelled', 'resolved_manually', 'error') then s.moved_at end desc nulls last,
     s.moved_at,
     s.step_no
   limit 1;

  while v_no is not null and cardinality(v_path) < 1000 loop
    v_path := v_no || v_path;
    -- The step could start when its last parent settled.
    v_no := (
      select p.step_no
        from tasker.workflow_step_edges as e
       cross join lateral (
         select p.step_no, p.moved_at
           from tasker.workflow_steps as p
          where p.task_uuid = e.task_uuid
            and p.step_no = e.from_step_no
            and p.state in ('complete', 'cancelled', 'resolved_manually', 'error')
         offset 0
       ) as p
       where e.task_uuid = p_task_uuid
         and e.to_step_no = v_no
         and e.from_step_no <> all (v_path)
       order by p.moved_at desc, p.step_no
       limit 1
    );
  end loop;
  return v_path;
end;
$$;

comment on function tasker.critical_path is
$$Returns the numbers of the steps that decided how long a task has taken so far, in their order. The path ends with the
step that an open task waits for, or with the step that moved last. The step before each step is the parent that settled
last. If the path is longer, returns only its last thousand steps. Reads the steps of the task once, then the edges of
each step on the path.$$;
