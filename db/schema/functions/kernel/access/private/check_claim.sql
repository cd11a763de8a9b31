create or replace function tasker.check_claim(p_worker_uuid uuid, p_limit integer, p_lease_seconds integer)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.refuse_recovery();
  perform tasker.check_isolation();
  if p_worker_uuid is null then
    raise exception using
      errcode = 'TK422',
      message = 'a claim names no worker',
      hint    = 'Pass any UUID that this process keeps, such as one of gen_random_uuid().';
  end if;
  if p_limit is null or p_limit not between 0 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 0 and 1000', coalesce(p_limit::text, 'null')),
      hint    = 'Claim at most 1000 steps in a call.';
  end if;
  if p_lease_seconds not between 1 and 86400 then
    raise exception using
      errcode = 'TK422',
      message = format('a lease cannot last %s seconds', p_lease_seconds),
      hint    = 'A lease lasts 1 to 86400 seconds; null means the setting "lease_seconds".';
  end if;
end;
$$;

comment on function tasker.check_claim is
$$Raises TK422 if a claim names no worker, or its limit or its lease is out of range, TK409 above READ COMMITTED.$$;
