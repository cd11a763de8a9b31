create or replace function tasker.task_outcome(
  p_open_steps       integer,
  p_active_steps     integer,
  p_retrying_steps   integer,
  p_suspended_steps  integer,
  p_failed_steps     integer,
  p_enqueued         boolean
)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_active_steps > 0 and p_enqueued then 'enqueued'
    when p_active_steps > 0 then 'running'
    when p_retrying_steps > 0 then 'retrying'
    -- What waits can move yet: a failed branch does not block it.
    when p_suspended_steps > 0 then 'waiting'
    when p_failed_steps > 0 then 'blocked'
    when p_open_steps > 0 then 'waiting'
    else 'complete'
  end;
end;

comment on function tasker.task_outcome(integer, integer, integer, integer, integer, boolean) is
$$What a task's counters say of it: the one place where an evaluation is decided. p_enqueued tells whether steps of it have just gone into the queue. tasker.task_paths says what follows.$$;

revoke all on function tasker.task_outcome(integer, integer, integer, integer, integer, boolean) from public;
