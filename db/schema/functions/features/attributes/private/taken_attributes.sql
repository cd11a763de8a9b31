create or replace function tasker.taken_attributes(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps integer[];
begin
  select array_agg(s.step_no order by s.processed_at, s.step_no)
    into v_steps
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.effects & 128 <> 0
     and s.state in ('complete', 'resolved_manually');
  if v_steps is not null then
    perform tasker.write_attributes(array_fill(p_task_uuid, array[cardinality(v_steps)]), v_steps);
  end if;
end;
$$;

comment on function tasker.taken_attributes is
$$Writes the attributes of a task from all results that the task has, in the order in which the steps completed. The caller has inserted the task.$$;
