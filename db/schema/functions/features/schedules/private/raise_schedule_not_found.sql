create or replace function tasker.raise_schedule_not_found(p_namespace text, p_schedule text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = case
      when p_namespace is null then 'the namespace of the schedule is null'
      when p_schedule is null then 'the name of the schedule is null'
      else format('schedule "%s/%s" does not exist', left(p_namespace, 100), left(p_schedule, 200))
    end,
    hint    = 'tasker.list_schedules() lists schedules; tasker.set_schedule() makes one.';
end;
$$;

comment on function tasker.raise_schedule_not_found is
$$Raises TK404 for a schedule that does not exist.$$;
