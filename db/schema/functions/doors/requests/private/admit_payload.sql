create or replace function tasker.admit_payload(p_task_uuid uuid, p_named_task_uuid uuid, p_name text, p_payload jsonb)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.check_sealed_signal(p_task_uuid, p_named_task_uuid, p_name, p_payload);
end;
$$;

comment on function tasker.admit_payload is
$$Door: a signal is sent to a task. Raises an error if its payload must not be stored.$$;
