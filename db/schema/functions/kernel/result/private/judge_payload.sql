create or replace function tasker.judge_payload(p_task_uuid uuid, p_named_task_uuid uuid, p_name text, p_payload jsonb)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.admit_payload(p_task_uuid, p_named_task_uuid, p_name, p_payload);
end;
$$;

comment on function tasker.judge_payload is
$$Raises an error if the payload of a signal to a task must not be stored.$$;
