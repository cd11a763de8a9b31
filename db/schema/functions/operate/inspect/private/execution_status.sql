create or replace function tasker.execution_status(
  p_complete   boolean,
  p_ready      bigint,
  p_running    bigint,
  p_retrying   bigint,
  p_suspended  bigint,
  p_failed     bigint,
  p_open       bigint
)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  -- Steps that can move take precedence over failed steps, because a failed branch does not block the other branches.
  select case
    when p_complete then 'ended'
    when p_ready > 0 then 'has_ready_steps'
    when p_running > 0 then 'processing'
    when p_retrying > 0 then 'waiting_for_retry'
    when p_suspended > 0 then 'waiting_for_dependencies'
    when p_failed > 0 then 'blocked_by_failures'
    when p_open = 0 then 'all_complete'
    else 'waiting_for_dependencies'
  end;
end;

comment on function tasker.execution_status is
$$Returns whether a task with these numbers of steps can move, and otherwise why it waits.$$;
