create or replace function tasker.wait_since(p_wait jsonb, p_moved_at timestamptz)
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select coalesce((p_wait ->> 'since')::timestamptz, p_moved_at);
end;

comment on function tasker.wait_since is
$$Returns from when the durations of a wait count: since its function first asked for the wait, or since the step was suspended.$$;
