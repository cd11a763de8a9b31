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
  -- What age adds grows by the same for all: without it the order of two tasks does not depend on when
  -- they are compared.
  select (
    tasker.computed_task_priority(
      p_priority, p_modifier, p_waiting_since, p_retries, p_requested_at, p_deadline
    )
    - tasker.setting_numeric('priority_age_factor') * extract(epoch from tasker.clock()) / 3600
  )::double precision;
end;

comment on function tasker.dispatch_rank(integer, numeric, timestamptz, bigint, timestamptz, timestamptz) is
$$What the computed priority comes to if age is counted from one instant for all: a number to index by.

Exact when it is made. A deadline that comes near, another modifier or another factor change it; tasker.rank_waiting_tasks brings the rows up to date.$$;

revoke all on function tasker.dispatch_rank(integer, numeric, timestamptz, bigint, timestamptz, timestamptz) from public;
