create or replace function tasker.list_running_steps(p_namespace text default null, p_limit integer default null)
  returns setof tasker.running_steps
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
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_page_size(p_limit);
  return query
  with leased as (
    -- The rows of each handler are in the order of their times. The rows of running steps, with the ends of their
    -- leases, follow the ready rows, which are not read.
    select q.task_uuid, q.step_no
      from tasker.queue_groups(array(
        select n.name
          from tasker.task_namespaces as n
         where (p_namespace is null or n.name = p_namespace)
           and (v_bound is null or n.name = any (v_bound))
      )) as g
     cross join lateral (
       select q.task_uuid, q.step_no
         from tasker.step_queue as q
        where q.namespace = g.namespace
          and q.lane = g.lane
          and q.named_step_uuid = g.named_step_uuid
          and q.visible_at > tasker.clock()
        order by q.visible_at
        limit 10000
     ) as q
     limit 10000
  )
  select
    s.workflow_step_uuid, s.task_uuid, n.name, k.name, k.version, s.name, h.name,
    s.attempts, s.max_attempts, s.last_attempted_at, s.lease_until, s.worker_uuid, w.name::text
  from leased as l
  cross join lateral (
    select s.*
      from tasker.workflow_steps as s
     where s.task_uuid = l.task_uuid
       and s.step_no = l.step_no
       and s.state = 'in_progress'
    offset 0
  ) as s
  cross join lateral (
    select t.named_task_uuid
      from tasker.tasks as t
     where t.task_uuid = l.task_uuid
    offset 0
  ) as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  join tasker.named_steps as h
    on h.named_step_uuid = s.named_step_uuid
  left join tasker.workers as w
    on w.worker_uuid = s.worker_uuid
  order by s.last_attempted_at, s.workflow_step_uuid
  limit coalesce(p_limit, 100);
end;
$$;

comment on function tasker.list_running_steps is
$$Returns the steps that workers are running, the step that has run longest first. With p_namespace, returns only the
steps of this namespace. A bound caller sees only its own namespaces.

Returns up to p_limit rows (default 100, at most 10,000). Reads the queue rows of at most 10,000 running steps, and no
rows of ready steps. Leaves out a step whose lease has ended, because it waits to be claimed again. Raises TK422 for a
limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_running_steps to tasker_orchestrator, tasker_operator, tasker_reader;
