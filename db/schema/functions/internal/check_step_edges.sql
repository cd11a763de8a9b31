create or replace function tasker.check_step_edges()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_edge record;
begin
  select n.task_uuid, n.from_step_no, n.to_step_no
    into v_edge
    from new_rows as n
    -- "offset 0" keeps each look a probe of the whole key, however wide the task is.
    left join lateral (
      select s.step_no
        from tasker.workflow_steps as s
       where s.task_uuid = n.task_uuid
         and s.step_no = n.from_step_no
      offset 0
    ) as f
      on true
    left join lateral (
      select s.step_no
        from tasker.workflow_steps as s
       where s.task_uuid = n.task_uuid
         and s.step_no = n.to_step_no
      offset 0
    ) as t
      on true
   where f.step_no is null
      or t.step_no is null
   limit 1;

  if found then
    raise exception using
      errcode = 'TK422',
      message = format(
        'task %s does not have both steps of the edge %s -> %s',
        v_edge.task_uuid, v_edge.from_step_no, v_edge.to_step_no
      ),
      hint    = 'An edge joins two steps of its own task.';
  end if;
  return null;
end;
$$;

comment on function tasker.check_step_edges() is
$$Trigger function: both ends of an edge are steps of its task. Raises TK422.

In place of two foreign keys: steps are never deleted but with their whole partition, and checking a statement's edges together costs a tenth of checking them one by one, which was a third of a task's creation.$$;

revoke all on function tasker.check_step_edges() from public;
