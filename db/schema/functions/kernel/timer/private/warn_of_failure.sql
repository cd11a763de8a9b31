create or replace function tasker.warn_of_failure(p_what text, p_code text, p_error text)
  returns interval
  language plpgsql
as $$
declare
  v_pause interval := tasker.error_pause(p_code);
begin
  raise warning using
    errcode = '01000',
    message = format('%s failed: %s', p_what, left(p_error, 1000)),
    detail  = format('The code of the error is %s.', p_code),
    hint    = format('It is tried again in %s s; the others go on.', extract(epoch from v_pause)::integer);
  return v_pause;
end;
$$;

comment on function tasker.warn_of_failure is
$$Warns that due work has failed with this SQLSTATE and message, and returns the time by which it is postponed. The error does not end the call (tasker.error_pause).$$;
