create or replace function tasker.roll_up_steps(p_since timestamptz)
  returns void
  language plpgsql
as $$
begin
  delete from tasker.step_rollups as r where r.bucket >= p_since;
  insert into tasker.step_rollups
  select c.* from tasker.count_steps_since(p_since) as c;
end;
$$;

comment on function tasker.roll_up_steps is
$$Counts the results of steps and their durations in the minutes from p_since on again. The caller sets the time zone to
UTC.$$;
