create or replace function tasker.task_rollups_since(p_since timestamptz, p_hours_until timestamptz)
  returns setof tasker.task_rollups
  language sql
  stable
  parallel safe
begin atomic
  -- Whole hours come from the materialised view, the minutes before the first and after the last hour
  -- from the rollups. If no whole hour lies between, the first part ends where the last begins.
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
$$Returns the rollups of a period until now, to the minute: hours as far as the materialised view reaches (rollup_state.hours_until, read before, so that the planner knows it), minutes for the rest. Inlined into the statements of reports, its only callers.$$;
