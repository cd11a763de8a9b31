create or replace function tasker.find_reruns(p_task_uuid uuid, p_from integer)
  returns setof tasker.step_reruns
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_starts   integer[] := array(
    select p_from
    union all
    -- When a map runs again, its instances run again, and so do the steps that were added below them.
    select i.step_no
      from tasker.map_instances(p_task_uuid, p_from) as i
  );
  v_last     integer;
  v_from     integer[];
  v_to       integer[];
  v_below    integer[];
  v_maps     integer[];
  v_replaced integer[];
begin
  select max(s.step_no) into v_last from tasker.workflow_steps as s where s.task_uuid = p_task_uuid;
  select coalesce(array_agg(e.from_step_no), '{}'), coalesce(array_agg(e.to_step_no), '{}')
    into v_from, v_to
    from tasker.workflow_step_edges as e
   where e.task_uuid = p_task_uuid;
  v_below := tasker.graph_distances(v_last, v_starts, v_from, v_to);
  -- Find the maps whose array may change.
  v_maps := array(
    select m.step_no
      from tasker.workflow_steps as m
     where m.task_uuid = p_task_uuid
       and m.for_each is not null
       and v_below[m.step_no] >= 0
       and m.expansion is not null
       and (
         m.step_no = p_from
         or exists (select from jsonb_array_elements(m.expansion -> 'parents') as e (value) where v_below[e.value::integer] >= 0)
       )
  );
  v_replaced := array(
    select i.step_no
      from unnest(v_maps) as m (step_no)
     cross join lateral tasker.map_instances(p_task_uuid, m.step_no) as i
  );
  return query
  select
    s.task_uuid, s.step_no, s.workflow_step_uuid, s.name, s.state,
    case when s.step_no = any (v_replaced) then 'replaced' else 'again' end,
    s.compensate_uuid is not null and s.owner_uuid is null and (s.claim_no > 0 or s.state in ('complete', 'resolved_manually')),
    s.child_task_uuid
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and (v_below[s.step_no] >= 0 or s.step_no = any (v_replaced))
   order by s.step_no;
end;
$$;

comment on function tasker.find_reruns is
$$Returns the steps that run again with a step: the step itself and all steps that depend on it, directly or not. If the
array of a map may change, also returns the map's instances, which will be replaced. The cost is linear in the number of
the task's steps and edges.$$;
