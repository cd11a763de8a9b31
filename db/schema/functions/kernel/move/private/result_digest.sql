create or replace function tasker.result_digest(p_result jsonb)
  returns bytea
  language sql
  stable
  parallel safe
begin atomic
  -- The function is not immutable, because convert_to() is not. If it were, PostgreSQL would not inline it, and would
  -- start the executor for each call.
  select substr(sha256(convert_to(p_result::text, 'UTF8')), 1, 8);
end;

comment on function tasker.result_digest is
$$Returns the first 8 bytes of a result's SHA-256. The log keeps these bytes, so that a result that was changed by hand can be detected.$$;
