create or replace function tasker.setting(p_name text)
  returns text
  language plpgsql
  stable
  parallel safe
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_value text;
begin
  select s.value
    into v_value
    from tasker.settings as s
   where s.name = p_name;

  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('setting %s does not exist', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'tasker.list_settings() shows them all.';
  end if;
  return v_value;
end;
$$;

comment on function tasker.setting is
$$Returns the value of a setting as text. Raises TK404 if there is no setting of that name.$$;
