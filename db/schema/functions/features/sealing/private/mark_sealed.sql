create or replace function tasker.mark_sealed(p_named_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.named_tasks_named_steps as s
     set effects = s.effects | 8192
   where s.named_task_uuid = p_named_task_uuid;
end;
$$;

comment on function tasker.mark_sealed is
$$Marks the steps of a template whose payloads are encrypted, so that the moves of these steps are checked.$$;
