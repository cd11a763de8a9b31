create or replace function tasker.task_rollups_since(p_since timestamptz, p_hours_until timestamptz)
  returns setof tasker.task_rollups
  language sql
  stable
  parallel safe
begin atomic
  -- Whole hours come from the materialised view. The minutes before the first and after the last whole hour come from
  -- the rollups. If there is no whole hour, the first part of the minutes ends where the last part begins.
  select r.*
    from tasker.task_rollups as r
   where r.bucket >= date_trunc('minute', p_since, 'UTC')
     and r.bucket < date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC')
  union all
  select h.*
    from tasker.task_hours as h
   where h.bucket >= date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC')
     and h.bucket < p_hours_until
  union all
  select r.*
    from tasker.task_rollups as r
   where r.bucket >= greatest(
     date_trunc('hour', p_since + interval '59 minutes 59.999999 seconds', 'UTC'),
     p_hours_until
   );
end;

comment on function tasker.task_rollups_since is
$$Returns the rollups from p_since until now: hours as far as the materialised view reaches, and minutes before and
after them. p_hours_until is rollup_state.hours_until, which the caller reads before, so that the planner knows it.
Inlined into the statements of its only callers, the reports.$$;
