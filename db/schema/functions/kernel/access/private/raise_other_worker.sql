create or replace function tasker.raise_other_worker(p_worker_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK403',
    message = format('worker %s belongs to another role than "%s"', p_worker_uuid, tasker.caller_name()),
    hint    = 'Each process takes a new UUID. A worker belongs to the role that entered it.';
end;
$$;

comment on function tasker.raise_other_worker is
$$Raises TK403, because another role has registered the worker of this UUID.$$;
