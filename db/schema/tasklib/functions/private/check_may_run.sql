create or replace function tasklib.check_may_run(
  p_names text[]
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_caller   text := tasklib.caller_name();
  v_required boolean := tasklib.setting('grants_required')::boolean;
  v_name     text;
  v_absent   boolean;
begin
  -- Look the roles up by name instead of casting the names, because the cast would fail for a dropped role. A dropped role
  -- matches no caller.
  select u.name, r.name is null
    into v_name, v_absent
    from unnest(p_names) as u (name)
    left join tasklib.registered_tasks as r
      on r.name = u.name
   where r.name is null
      or (v_required or r.allowed_roles <> '{}')
     and not exists (
       select
         from unnest(r.allowed_roles) as a (role)
        where coalesce(pg_has_role(v_caller, to_regrole(quote_ident(a.role)), 'member'), false)
     )
   order by u.name
   limit 1;

  if not found then
    return;
  end if;
  if v_absent then
    perform tasklib.raise_name_not_found(v_name);
  end if;
  raise exception using
    errcode = 'TK403',
    message = format('%s may not run tasks of "%s"', v_caller, v_name),
    hint    = 'An operator can allow it with tasklib.restrict_task(name, roles).';
end;
$$;

comment on function tasklib.check_may_run is
$$Raises TK403 if the caller may not run tasks of one of these names, TK404 if one of the names is not registered.$$;
