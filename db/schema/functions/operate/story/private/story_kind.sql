create or replace function tasker.story_kind(p_state text, p_wait jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_state = 'enqueued' then 'workers'
    when p_state = 'in_progress' then 'running'
    when p_state = 'waiting_for_retry' then 'retry'
    when p_state = 'error' then 'failed'
    when p_state <> 'suspended' then 'engine'
    when p_wait ? 'diverged' then 'failed'
    when p_wait ? 'task' then 'task'
    when jsonb_path_exists(p_wait, '$.any[*].signal') then 'signal'
    when jsonb_path_exists(p_wait, '$.any[*].event') then 'event'
    when p_wait is null then 'task'
    else 'time'
  end;
end;

comment on function tasker.story_kind is
$$Returns the kind of work or wait on which time is spent while a step is in a state. For a suspended step this depends
on its wait. A wait for several alternatives counts as a wait for people if a signal is one of them.$$;
