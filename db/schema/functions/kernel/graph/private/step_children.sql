create or replace function tasker.step_children(
  p_task_uuid        uuid,
  p_named_task_uuid  uuid,
  p_has_added_edges  boolean,
  p_step_no          integer
)
  returns setof tasker.named_task_edges
  language sql
  stable
  parallel safe
begin atomic
  select e.named_task_uuid, e.from_step_no, e.to_step_no, e.condition, e.outcome
    from tasker.named_task_edges as e
   where e.named_task_uuid = p_named_task_uuid
     and e.from_step_no = p_step_no
  union all
  select p_named_task_uuid, e.from_step_no, e.to_step_no, e.condition, null::text
    from tasker.added_step_edges as e
   where p_has_added_edges
     and e.task_uuid = p_task_uuid
     and e.from_step_no = p_step_no
  offset 0;
end;

comment on function tasker.step_children is
$$Returns the edges from a step to its children, both the edges of the template and added edges. A statement that already has the task's row uses this function, because tasker.workflow_step_edges would query the task again. An added edge looks like an edge of the template. The function is inlined.$$;
