create or replace function tasker.note_task_change(p_task_uuid uuid, p_was jsonb, p_becomes jsonb)
  returns void
  language plpgsql
as $$
begin
  perform tasker.note_administration(
    'tasks', p_task_uuid::text, array[tasker.namespace_of_task(p_task_uuid)], 'update', p_was, p_becomes
  );
end;
$$;

comment on function tasker.note_task_change is
$$Writes a pause or another change of a task into the log of administration, under the kind "tasks".$$;
