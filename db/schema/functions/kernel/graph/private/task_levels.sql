create or replace function tasker.task_levels(p_task_uuid uuid)
  returns integer[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_nodes  integer;
  v_from   integer[];
  v_to     integer[];
  v_levels integer[];
begin
  select coalesce(max(s.step_no), 0)
    into v_nodes
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid;
  select coalesce(array_agg(e.from_step_no), '{}'), coalesce(array_agg(e.to_step_no), '{}')
    into v_from, v_to
    from tasker.workflow_step_edges as e
   where e.task_uuid = p_task_uuid;

  v_levels := tasker.graph_levels(v_nodes, v_from, v_to);
  if array_position(v_levels, -1) is not null then
    raise exception using
      errcode = 'TK409',
      message = format('the graph of task %s has a cycle', p_task_uuid),
      detail  = format('Its steps %s.', array_to_string(tasker.graph_cycle(v_levels, v_from, v_to), ' -> ')),
      hint    = 'No function of pgtasker creates a cycle: edges were inserted by hand. Remove one of them.';
  end if;
  return v_levels;
end;
$$;

comment on function tasker.task_levels is
$$Returns the level of each step of a task by its number. Raises TK409 if the graph has a cycle, which only happens if edges were inserted by hand.$$;
