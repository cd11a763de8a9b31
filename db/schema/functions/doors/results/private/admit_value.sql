create or replace function tasker.admit_value(p_step_uuid uuid, p_what text, p_value jsonb, p_error text)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.check_sealed_value(p_step_uuid, p_what, p_value, p_error);
end;
$$;

comment on function tasker.admit_value is
$$Door: a running step whose effects have the bit 8192 saves a value. Raises an error if the value must not be stored.$$;
