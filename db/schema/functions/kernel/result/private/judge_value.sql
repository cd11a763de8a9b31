create or replace function tasker.judge_value(p_step_uuid uuid, p_kind text, p_value jsonb, p_error text)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.admit_value(p_step_uuid, p_kind, p_value, p_error);
end;
$$;

comment on function tasker.judge_value is
$$Raises an error if a value that a running step saves must not be stored. The caller has found the bit 8192 in the step's effects.$$;
