create or replace function tasker.error_fingerprint(p_namespace text, p_handler text, p_masked text)
  returns bigint
  language sql
  immutable
  parallel safe
begin atomic
  select ('x' || encode(substr(sha256(convert_to(concat_ws(E'\n', p_namespace, p_handler, p_masked), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint;
end;

comment on function tasker.error_fingerprint is
$$Returns the number of a cause, which is 8 bytes of the hash of its namespace, its handler and its masked text
(tasker.mask_error).$$;
