create or replace function tasker.register_worker(
  p_worker_uuid  uuid,
  p_name         text,
  p_namespaces   text[]  default null,
  p_handlers     text[]  default null
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
  if cardinality(p_handlers) > 10000 or exists (select from unnest(p_handlers) as h (name) where h.name is null or length(h.name) > 250) then
    raise exception using
      errcode = 'TK422',
      message = 'the handlers of a worker are at most 10000 names of at most 250 characters',
      hint    = 'Null stands for a worker that may have any handler.';
  end if;
  perform tasker.check_bound_namespaces(p_namespaces);
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);

  insert into tasker.workers as w (worker_uuid, name, namespaces, handlers)
  values (p_worker_uuid, p_name, coalesce(p_namespaces, '{}'), p_handlers)
  on conflict (worker_uuid) do update
     set name         = excluded.name,
         namespaces   = excluded.namespaces,
         handlers     = excluded.handlers,
         last_seen_at = tasker.clock()
  returning w.xmax = 0 into v_inserted;
  return v_inserted;
end;
$$;

comment on function tasker.register_worker(uuid, text, text[], text[]) is
$$Enters a worker process under a name that people recognise, with the namespaces that it works in (null: all) and the handlers that it has (null: any), by which tasker.list_unserved_steps judges. True if it is new; a known one is renamed.

Not needed to claim: an unknown worker is entered by its first claim, under its UUID for a name. Locks the worker's row. Raises TK422 without a UUID or a name of 1 to 200 characters, and for more than 10,000 handlers or one of more than 250 characters, TK404 for an unknown namespace, TK403 if the role is bound to others.$$;

revoke all on function tasker.register_worker(uuid, text, text[], text[]) from public;
grant execute on function tasker.register_worker(uuid, text, text[], text[])
  to tasker_worker, tasker_orchestrator, tasker_operator;
