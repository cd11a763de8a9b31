create or replace function tasker.insert_handlers(p_steps jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Insert the handlers in one order, so that two registrations of the same handlers wait for each other and do not
  -- deadlock.
  insert into tasker.named_steps (name)
  select h.name
    from (
      select tasker.handler_of(e.value) as name from jsonb_array_elements(p_steps) as e (value)
      union
      select e.value ->> 'compensate' from jsonb_array_elements(p_steps) as e (value) where e.value ? 'compensate'
    ) as h
   where not exists (select from tasker.named_steps as k where k.name = h.name)
   order by h.name
  on conflict (name) do nothing;
end;
$$;

comment on function tasker.insert_handlers is
$$Inserts the missing handlers of steps in normal form. The caller's next statement sees the handlers that another session inserts at the same time.$$;
