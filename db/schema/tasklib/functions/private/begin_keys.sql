create or replace function tasklib.begin_keys(p_name text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasklib.registered_tasks as r
     set keyed = true
   where r.name = p_name
     and not r.keyed;
  insert into tasklib.task_limits (name, tokens, refilled_at)
  select r.name, coalesce(r.rate_limit, 0), tasklib.clock()
    from tasklib.registered_tasks as r
   where r.name = p_name
  on conflict do nothing;
end;
$$;

comment on function tasklib.begin_keys is
$$Records that tasks of a name have limit keys: sets the column keyed, and creates the name's row in tasklib.task_limits. Locks the name's row. Waits for another transaction that does the same.$$;
