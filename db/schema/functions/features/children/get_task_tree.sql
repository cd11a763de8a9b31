create or replace function tasker.get_task_tree(p_task_uuid uuid, p_limit integer default null)
  returns setof tasker.task_tree_nodes
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound(p_task_uuid);
  if coalesce(p_limit, 1000) not between 1 and 100000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 100,000', p_limit),
      hint    = 'Ask for the tree of one of its tasks instead.';
  end if;
  if not exists (select from tasker.tasks as t where t.task_uuid = p_task_uuid) then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;

  return query
  with recursive family (level, path, task_uuid, parent_step_uuid, parent_step) as (
    select 0, '{}'::integer[], t.task_uuid, t.parent_step_uuid, null::text
      from tasker.tasks as t
     where t.task_uuid = p_task_uuid
    union all
    select f.level + 1, f.path || s.step_no || u.no::integer, u.task_uuid, s.workflow_step_uuid, s.name
      from family as f
     cross join lateral (
       select s.step_no, s.child_task_uuid, s.child_task_uuids, s.workflow_step_uuid, s.name
         from tasker.workflow_steps as s
        where s.task_uuid = f.task_uuid
          and (s.child_task_uuid is not null or s.child_task_uuids is not null)
       offset 0
     ) as s
     cross join unnest(coalesce(s.child_task_uuids, array[s.child_task_uuid])) with ordinality as u (task_uuid, no)
  )
  select
    f.level, f.task_uuid, tasker.task_uuid_of(f.parent_step_uuid), f.parent_step_uuid,
    coalesce(f.parent_step, (
      select s.name
        from tasker.workflow_steps as s
       where s.task_uuid = tasker.task_uuid_of(f.parent_step_uuid)
         and s.step_no = tasker.step_no_of(f.parent_step_uuid)
    )),
    t.namespace, t.name, t.version, t.state, t.total_steps, t.open_steps, t.suspended_steps, t.failed_steps,
    t.requested_at, t.completed_at
  from family as f
  left join lateral (
    select
      n.name as namespace, k.name, k.version, t.state, t.total_steps, t.open_steps, t.suspended_steps, t.failed_steps,
      t.requested_at, t.completed_at
      from tasker.tasks as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where t.task_uuid = f.task_uuid
    offset 0
  ) as t on true
  where v_bound is null
     or t.namespace = any (v_bound)
  order by f.path
  limit coalesce(p_limit, 1000);
end;
$$;

comment on function tasker.get_task_tree is
$$Returns a task, the tasks that its steps started, the tasks that the steps of those tasks started, and so on: each task
followed by its tree, in the order of the steps. For a step, the tree has the task that the step started last. For a step
with a durable function, it has all tasks that the function started. A bound caller sees tasks of its namespaces only.

Returns at most p_limit rows; p_limit is at most 100,000, and null means 1,000. The cost is linear in the steps of these tasks. Raises TK404 if there is no such task, TK422 for a limit out of bounds, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_tree
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
