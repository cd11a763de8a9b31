create or replace function tasklib.purge(
  p_before  timestamptz,
  p_state   text     default null,
  p_name    text     default null,
  p_limit   integer  default 10000
)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_state tasklib.task_state;
  v_ids   uuid[];
begin
  p_limit := coalesce(p_limit, 10000);
  if p_state is not null then
    v_state := tasklib.parse_state(p_state);
  end if;
  if p_before is null or p_limit between 1 and 100000 is not true or v_state in ('pending', 'running') then
    raise exception using
      errcode = 'TK422',
      message = 'tasks cannot be purged with these arguments',
      detail  = format('before %s, state %s, name %s, limit %s', p_before, left(p_state, 100), left(p_name, 100), p_limit),
      hint    = 'Pass the time before which tasks must have ended; a state is completed, failed or cancelled; one call deletes 1 to 100,000.';
  end if;

  -- The setting plan_cache_mode is not set here, so that PostgreSQL can plan this query for the given filters.
  v_ids := array(
    select t.id
      from tasklib.tasks as t
     where t.completed_at < p_before
       and (p_name is null or t.name = p_name)
       and (v_state is null or t.state = v_state)
     order by t.id
     limit p_limit
       for update skip locked
  );
  if v_ids <> '{}' then
    perform tasklib.delete_tasks(v_ids);
    perform tasklib.log_action('purge', null, p_name, jsonb_build_object(
      'before', p_before, 'state', p_state, 'count', cardinality(v_ids)));
  end if;
  return cardinality(v_ids);
end;
$$;

comment on function tasklib.purge is
$$Deletes tasks that ended before p_before, and their recorded runs, even if the tasks have not expired. With p_state or p_name, deletes only tasks of that state or name. Deletes at most p_limit tasks, the oldest first, and returns how many. To delete all such tasks, call this function until it returns 0.

Never deletes a pending or running task. Locks the tasks without waiting. Raises TK422 for an invalid state or limit, or without a time.$$;

grant execute on function tasklib.purge to tasklib_operator;
