create or replace function tasker.register_worker(
  p_worker_uuid  uuid,
  p_name         text,
  p_namespaces   text[]  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_inserted boolean;
begin
  if p_worker_uuid is null or length(p_name) not between 1 and 200 or p_name is null then
    raise exception using
      errcode = 'TK422',
      message = 'a worker needs a UUID, and a name of 1 to 200 characters',
      hint    = 'A new UUID for each process, and a name that people recognise: host and process.';
  end if;
  perform tasker.check_bound_namespaces(p_namespaces);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);

  insert into tasker.workers as w (worker_uuid, name, namespaces)
  values (p_worker_uuid, p_name, coalesce(p_namespaces, '{}'))
  on conflict (worker_uuid) do update
     set name         = excluded.name,
         namespaces   = excluded.namespaces,
         last_seen_at = tasker.clock()
  returning w.xmax = 0 into v_inserted;
  return v_inserted;
end;
$$;

comment on function tasker.register_worker(uuid, text, text[]) is
$$Enters a worker process under a name that people recognise, with the namespaces that it works in (null: all). True if it is new; a known one is renamed.

Not needed to claim: an unknown worker is entered by its first claim, under its UUID for a name. Locks the worker's row. Raises TK422 without a UUID or a name of 1 to 200 characters, TK404 for an unknown namespace, TK403 if the role is bound to others.$$;

revoke all on function tasker.register_worker(uuid, text, text[]) from public;
grant execute on function tasker.register_worker(uuid, text, text[])
  to tasker_worker, tasker_orchestrator, tasker_operator;
