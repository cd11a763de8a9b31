create or replace function tasker.steps_registered(p_named_task_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  perform tasker.mark_failures(p_named_task_uuid);
end;
$$;

comment on function tasker.steps_registered is
$$Door: the steps and edges of a template have been inserted, and a step of the template waits for an outcome other than success.$$;
