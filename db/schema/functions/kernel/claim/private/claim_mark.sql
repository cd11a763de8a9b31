create or replace function tasker.claim_mark(p_namespaces text[], p_handlers text[], p_now timestamptz)
  returns timestamptz
  language plpgsql
  stable
as $$
declare
  v_kept text[] := string_to_array(current_setting('tasker.claim_mark', true), ' ');
begin
  if v_kept[1] = md5(p_namespaces::text || p_handlers::text)
     and to_timestamp(v_kept[2]::float8) between p_now - interval '1 second' and p_now then
    return to_timestamp(v_kept[3]::float8);
  end if;
  return '-infinity';
end;
$$;

comment on function tasker.claim_mark is
$$Returns the mark that tasker.keep_claim_mark kept in this session for the same namespaces and handlers: the time from which the queue has to be read. Returns -infinity if the queue was last read from the beginning more than a second ago.$$;
