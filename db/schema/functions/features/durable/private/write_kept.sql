create or replace function tasker.write_kept(
  p_task_uuid   uuid,
  p_step_no     integer,
  p_claim_no    integer,
  p_position    integer,
  p_name        text,
  p_occurrence  integer,
  p_value       jsonb,
  p_error       text,
  p_settings    tasker.settings_now
)
  returns void
  language plpgsql
as $$
declare
  v_bytes bigint := tasker.check_kept(
    p_task_uuid, p_step_no, p_position, p_name, coalesce(octet_length(p_value::text), octet_length(p_error)), p_settings
  );
begin
  insert into tasker.kept_results (
    task_uuid, step_no, kept_no, name, occurrence, value, error, bytes, claim_no, kept_at
  )
  values (
    p_task_uuid, p_step_no, p_position, p_name, p_occurrence, coalesce(p_value, 'null'), p_error, v_bytes, p_claim_no, tasker.write_clock()
  );
end;
$$;

comment on function tasker.write_kept is
$$Writes a kept result at the next position of a function. Raises the errors of tasker.check_kept. The caller holds the step's lock.$$;
