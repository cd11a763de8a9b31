create or replace function tasker.insert_limits(p_namespace text, p_steps jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text[];
begin
  if not jsonb_path_exists(p_steps, '$[*].limit') then
    return;
  end if;
  v_names := array(
    select distinct n.name
      from jsonb_array_elements(p_steps) as e (value)
     cross join lateral jsonb_array_elements_text(tasker.limits_of(e.value)) as n (name)
  );

  -- Insert in the order of the names, so that two registrations of the same limits wait for each other and do not
  -- deadlock.
  insert into tasker.limits (namespace, name, created_by, updated_by)
  select p_namespace, u.name, tasker.caller_name(), tasker.caller_name()
    from unnest(v_names) as u (name)
   where not exists (select from tasker.limits as l where l.namespace = p_namespace and l.name = u.name)
   order by u.name
  on conflict (namespace, name) do nothing;
  perform tasker.check_limit_count(p_namespace);

  -- A second statement sees the limits that another session inserted meanwhile.
  insert into tasker.limit_handlers (handler, limit_no, named_step_uuid)
  select distinct h.name, l.limit_no, h.named_step_uuid
    from jsonb_array_elements(p_steps) as e (value)
    join tasker.named_steps as h
      on h.name = tasker.handler_of(e.value)
    join tasker.limits as l
      on l.namespace = p_namespace
     and tasker.limits_of(e.value) ? l.name
   where not exists (select from tasker.limit_handlers as k where k.handler = h.name and k.limit_no = l.limit_no)
   order by h.name, l.limit_no
  on conflict (handler, limit_no) do nothing;

  if jsonb_path_exists(p_steps, '$[*] ? (exists (@.limit_units) || exists (@.limit_hold) || exists (@.limit_bound) || exists (@.limits))') then
    perform tasker.note_limit_places(p_namespace, p_steps);
  end if;
end;
$$;

comment on function tasker.insert_limits is
$$Inserts the limits that steps in normal form name, without bounds, if the namespace lacks them. Also inserts the handlers of these limits. Raises TK413 if the namespace then has more than 1,000 limits.$$;
