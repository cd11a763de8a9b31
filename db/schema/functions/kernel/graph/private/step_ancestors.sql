create or replace function tasker.step_ancestors(p_step_uuid uuid)
  returns integer[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task     uuid    := tasker.task_uuid_of(p_step_uuid);
  v_step     integer := tasker.step_no_of(p_step_uuid);
  v_template uuid;
  v_added    boolean;
  v_nodes    integer;
  v_from     integer[];
  v_to       integer[];
begin
  select t.named_task_uuid, t.has_added_edges
    into v_template, v_added
    from tasker.tasks as t
   where t.task_uuid = v_task;

  -- Collect each edge above the step once. Then compute the shortest paths.
  with recursive above (from_step_no, to_step_no) as (
    select e.from_step_no, e.to_step_no
      from tasker.step_parents(v_task, v_template, v_added, v_step) as e
    union
    select e.from_step_no, e.to_step_no
      from above as a
     cross join lateral tasker.step_parents(v_task, v_template, v_added, a.from_step_no) as e
  )
  select max(a.from_step_no), array_agg(a.from_step_no), array_agg(a.to_step_no)
    into v_nodes, v_from, v_to
    from above as a;

  if v_nodes is null then
    return '{}';
  end if;
  return tasker.graph_distances(greatest(v_nodes, v_step), array[v_step], v_to, v_from);
end;
$$;

comment on function tasker.step_ancestors is
$$Returns the length of the shortest path up from a step to each step above it, by the numbers of those steps. The length is 0 for the step itself, and -1 for a step that is not above it.

The array is empty if the step has no parents. The array may have fewer elements than the task has steps.$$;
