create or replace function tasker.dispatch_rank(
  p_priority       integer,
  p_modifier       numeric,
  p_waiting_since  timestamptz,
  p_retries        bigint,
  p_requested_at   timestamptz,
  p_deadline       timestamptz
)
  returns double precision
  language sql
  stable
  parallel safe
begin atomic
  -- Age adds the same amount to all tasks per hour. So the order of two tasks does not depend on the time of the
  -- comparison, and the age can be left out.
  select (
    tasker.computed_task_priority(
      p_priority, p_modifier, p_waiting_since, p_retries, p_requested_at, p_deadline
    )
    - tasker.setting_numeric('priority_age_factor') * extract(epoch from tasker.clock()) / 3600
  )::double precision;
end;

comment on function tasker.dispatch_rank is
$$Returns the computed priority with age counted from one fixed instant for all tasks, so that it can be indexed.

The rank is exact when it is computed. An approaching deadline, another modifier or another factor change the rank. tasker.rank_waiting_tasks updates the rows.$$;
