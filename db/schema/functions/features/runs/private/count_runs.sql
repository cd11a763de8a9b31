create or replace function tasker.count_runs(p_run tasker.runs, p_state text)
  returns integer
  language plpgsql
  stable
as $$
begin
  return (
    select count(*)
      from tasker.runs as r
     where r.namespace = (p_run).namespace
       and r.name = (p_run).name
       and r.run_key = (p_run).run_key
       and r.state = p_state
  );
end;
$$;

comment on function tasker.count_runs is
$$Returns the number of tasks with the key of p_run that have this state (running or waiting).$$;
