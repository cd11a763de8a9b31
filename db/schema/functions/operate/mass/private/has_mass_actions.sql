create or replace function tasker.has_mass_actions()
  returns boolean
  language sql
  stable
begin atomic
  select exists (
    select
      from tasker.mass_actions as m
     where m.state = 'running'
        or m.state = 'done' and m.open > 0 and m.ended_at > tasker.clock() - interval '1 hour'
  );
end;

comment on function tasker.has_mass_actions is
$$Returns whether a mass action has entries to act on, or ended within the last hour and still waits for outcomes.$$;
