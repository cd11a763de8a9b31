create or replace function tasker.error_pause(p_code text)
  returns interval
  language sql
  immutable
  parallel safe
begin atomic
  select case
    -- Deadlocks and serialization failures, cancelled statements and shutdowns end the call, and the caller repeats
    -- it.
    when left(p_code, 2) in ('40', '57') then null
    -- Disk full, out of memory, a lock that was not available: these are states of the server, which pass.
    when left(p_code, 2) in ('53', '55', '58') then interval '1 second'
    else interval '1 minute'
  end;
end;

comment on function tasker.error_pause is
$$Returns how long to put off work that is due, after an error with this SQLSTATE. Null for an error that has to end the call.$$;
