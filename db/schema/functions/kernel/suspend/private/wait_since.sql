create or replace function tasker.wait_since(p_wait jsonb, p_moved_at timestamptz)
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select coalesce((p_wait ->> 'since')::timestamptz, p_moved_at);
end;

comment on function tasker.wait_since is
$$Returns the time from which the durations of a wait count: the time when the durable function first requested the wait, or the time when the step was suspended.$$;
