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
  select n.task_uuid, n.from_step_no, n.to_step_no, x.both_steps
    into v_edge
    from new_rows as n
   cross join lateral (
     select
       exists (
         select
           from tasker.workflow_steps as s
          where s.task_uuid = n.task_uuid
            and s.step_no = n.from_step_no
         offset 0
       ) and exists (
         select
           from tasker.workflow_steps as s
          where s.task_uuid = n.task_uuid
            and s.step_no = n.to_step_no
         offset 0
       ) as both_steps,
       exists (
         select
           from tasker.tasks as t
           join tasker.named_task_edges as e
             on e.named_task_uuid = t.named_task_uuid
          where t.task_uuid = n.task_uuid
            and e.from_step_no = n.from_step_no
            and e.to_step_no = n.to_step_no
         offset 0
       ) as in_template
   ) as x
   where not x.both_steps
      or x.in_template
   limit 1;

  if v_edge.both_steps then
    raise exception using
      errcode = 'TK409',
      message = format(
        'task %s has the edge %s -> %s from its template', v_edge.task_uuid, v_edge.from_step_no, v_edge.to_step_no
      ),
      hint    = 'There is one edge between two steps.';
  elsif found then
    raise exception using
      errcode = 'TK422',
      message = format(
        'task %s does not have both steps of the edge %s -> %s',
        v_edge.task_uuid, v_edge.from_step_no, v_edge.to_step_no
      ),
      hint    = 'An edge joins two steps of its own task.';
  end if;

  update tasker.tasks as t
     set has_added_edges = true
    from (select distinct n.task_uuid from new_rows as n) as u
   where t.task_uuid = any (array[u.task_uuid])
     and not t.has_added_edges;
  return null;
end;
$$;

comment on function tasker.check_step_edges is
$$Trigger function: checks that both ends of an added edge are steps of its task and that its template does not have the same edge, and marks the task as having added edges. Raises TK422 and TK409.

This trigger replaces two foreign keys, because it checks all edges of a statement together. Steps are only dropped with their whole partition, so the end of a step needs no check.$$;
