create or replace function tasker.end_map(
  p_map        tasker.workflow_steps,
  p_task       tasker.task_facts,
  p_problem    text,
  p_processor  uuid
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text    := p_problem;
  v_limit   integer := tasker.setting_integer('result_bytes');
  v_move    tasker.step_moves;
begin
  if v_problem is null and tasker.map_failures(p_map) > (p_map.for_each ->> 'allow_failures')::integer then
    v_problem := tasker.map_failure(p_map, tasker.map_failures(p_map));
  elsif v_problem is null and exists (
    select
      from tasker.workflow_step_edges as e
     cross join lateral (
       select c.for_each, c.await
         from tasker.workflow_steps as c
        where c.task_uuid = e.task_uuid
          and c.step_no = e.to_step_no
       offset 0
     ) as c
     where e.task_uuid = p_map.task_uuid
       and e.from_step_no = p_map.step_no
       and (
         e.condition is not null
         or c.for_each ->> 'step' = p_map.name
         or c.await #> '{task,context}' is not null
       )
  ) and tasker.map_results(p_map.task_uuid, p_map.step_no, v_limit) is null then
    v_problem := format(
      'a condition, a map or a task reads its results, and they are larger than %s bytes, the setting "result_bytes"', v_limit
    );
  end if;

  v_move.task_uuid := p_map.task_uuid;
  v_move.step_no := p_map.step_no;
  v_move.from_state := 'pending';
  v_move.event := case when v_problem is null then 'Complete' else 'Fail' end;
  v_move.to_state := case when v_problem is null then 'complete'::tasker.step_state else 'error' end;
  v_move.error := v_problem;
  v_move.metadata := case when v_problem is not null then jsonb_build_object('error', v_problem) end;
  perform tasker.apply_moves(array[v_move], array[p_task], p_processor);
end;
$$;

comment on function tasker.end_map is
$$Ends a map whose instances have all settled. The map fails if more elements failed than allow_failures, or if a child reads the map's results and they are too large; otherwise it completes. With p_problem the map fails at once, with p_problem as the reason. The caller holds the task's lock.$$;
