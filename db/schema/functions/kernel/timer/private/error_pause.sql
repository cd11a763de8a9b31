create or replace function tasker.error_pause(p_code text)
  returns interval
  language sql
  immutable
  parallel safe
begin atomic
  select case
    -- Deadlocks, serialization failures, cancelled statements and shutdowns end the call, and the caller repeats it.
    when left(p_code, 2) in ('40', '57') then null
    -- A full disk, a lack of memory or a lock that is not available is a temporary state of the server.
    when left(p_code, 2) in ('53', '55', '58') then interval '1 second'
    else interval '1 minute'
  end;
end;

comment on function tasker.error_pause is
$$Returns the time by which due work is postponed after an error with this SQLSTATE, or null if the error has to end the call.$$;
