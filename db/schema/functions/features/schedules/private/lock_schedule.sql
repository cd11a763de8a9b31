create or replace function tasker.lock_schedule(p_namespace text, p_schedule text)
  returns tasker.schedules
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_schedule tasker.schedules;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  select s.*
    into v_schedule
    from tasker.schedules as s
   where s.namespace = p_namespace
     and s.schedule = p_schedule
     for no key update;
  if not found then
    perform tasker.raise_schedule_not_found(p_namespace, p_schedule);
  end if;
  return v_schedule;
end;
$$;

comment on function tasker.lock_schedule is
$$Locks a schedule, waiting if necessary, and returns it. Raises TK404 if there is no such schedule, TK403 if the caller is bound to other namespaces.$$;
