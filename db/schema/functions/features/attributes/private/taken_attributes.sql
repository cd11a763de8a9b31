create or replace function tasker.taken_attributes(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.write_attributes(
      array_agg(s.task_uuid), array_agg(t.named_task_uuid),
      array_agg(s.step_no order by s.processed_at, s.step_no), array_agg(s.results order by s.processed_at, s.step_no)
    )
     from tasker.workflow_steps as s
    cross join lateral (
      select t.named_task_uuid from tasker.tasks as t where t.task_uuid = s.task_uuid offset 0
    ) as t
    where s.task_uuid = p_task_uuid
      and s.effects & 128 <> 0
      and s.state in ('complete', 'resolved_manually')
   having count(*) > 0;
end;
$$;

comment on function tasker.taken_attributes is
$$Writes the attributes of a task from the results of all its completed steps, in the order in which the steps completed. The caller has inserted the task.$$;
