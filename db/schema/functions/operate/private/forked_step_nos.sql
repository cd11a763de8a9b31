create or replace function tasker.forked_step_nos(p_old tasker.tasks, p_named_task_uuid uuid, p_from integer)
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
  v_old  integer;
  v_next integer[] := array[p_from];
  v_all  integer[] := '{}';
begin
  -- Step by step, because a step may be below another in either graph: those of the old task, with added edges, and
  -- those of the new version. Numbers go with names.
  while cardinality(v_next) > 0 loop
    v_all := v_all || v_next;
    v_next := array(
      select e.to_step_no
        from unnest(v_next) as u (step_no)
        join tasker.named_task_edges as e
          on e.named_task_uuid = p_named_task_uuid
         and e.from_step_no = u.step_no
      union
      select n.step_no
        from unnest(v_next) as u (step_no)
        join tasker.named_tasks_named_steps as f
          on f.named_task_uuid = p_named_task_uuid
         and f.step_no = u.step_no
        join tasker.named_tasks_named_steps as o
          on o.named_task_uuid = p_old.named_task_uuid
         and o.step_name = f.step_name
       cross join lateral tasker.step_children(p_old.task_uuid, p_old.named_task_uuid, p_old.has_added_edges, o.step_no) as e
       cross join lateral (
         select coalesce(i.map_no, i.step_no) as step_no
           from tasker.workflow_steps as i
          where i.task_uuid = p_old.task_uuid
            and i.step_no = e.to_step_no
         offset 0
       ) as c
        join tasker.named_tasks_named_steps as d
          on d.named_task_uuid = p_old.named_task_uuid
         and d.step_no = c.step_no
        join tasker.named_tasks_named_steps as n
          on n.named_task_uuid = p_named_task_uuid
         and n.step_name = d.step_name
      except
      select u.step_no from unnest(v_all) as u (step_no)
    );
  end loop;
  return v_all;
end;
$$;

comment on function tasker.forked_step_nos(tasker.tasks, uuid, integer) is
$$Returns the numbers of the steps of a version that a fork of a task runs anew: the step p_from and all below it in the version's graph or in the task's own.$$;

revoke all on function tasker.forked_step_nos(tasker.tasks, uuid, integer) from public;
