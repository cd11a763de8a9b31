create or replace function tasker.context_attributes(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  perform tasker.write_attributes(array_agg(t.task_uuid), array_agg(t.named_task_uuid), array_agg(0), array_agg(t.context))
     from unnest(p_task_uuids) as u (task_uuid)
    cross join lateral (
      select t.task_uuid, t.named_task_uuid, t.context from tasker.tasks as t where t.task_uuid = u.task_uuid offset 0
    ) as t
   having count(*) > 0;
end;
$$;

comment on function tasker.context_attributes is
$$Writes the attributes of new tasks from their contexts. Does not read steps, so no partition of steps is opened.$$;
