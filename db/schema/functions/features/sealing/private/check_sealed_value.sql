create or replace function tasker.check_sealed_value(p_step_uuid uuid, p_what text, p_value jsonb, p_error text)
  returns void
  language plpgsql
  stable
as $$
begin
  if p_error is not null and not tasker.is_sealed_error(p_error)
     or p_value is not null and p_value <> 'null' and not tasker.is_sealed(p_value) then
    perform tasker.refuse_plain(p_step_uuid, p_what);
  end if;
end;
$$;

comment on function tasker.check_sealed_value is
$$Raises TK422 if a value that a step of an encrypted template saves is in the clear. Such a value is a kept result, a checkpoint, a state, or the reason of a snooze.$$;
