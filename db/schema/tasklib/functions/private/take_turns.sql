create or replace function tasklib.take_turns(
  p_name   text,
  p_limit  integer,
  p_now    timestamptz
)
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_task    tasklib.registered_tasks;
  v_last    text;
  v_key     text;
  v_keys    text[] := '{}';
  v_free    integer[] := '{}';
  v_places  integer;
  v_closed  integer := 0;
  v_wrapped boolean := false;
begin
  select l.last_key
    into strict v_last
    from tasklib.task_limits as l
   where l.name = p_name;
  select r.* into strict v_task from tasklib.registered_tasks as r where r.name = p_name;

  -- If the clock was put back or the period was made shorter, paid_until can be more than a period ahead. Limit it to one
  -- period, which means that the whole rate is used.
  if v_task.key_rate_limit is not null then
    update tasklib.key_rates as k
       set paid_until = p_now + make_interval(secs => v_task.key_rate_period_seconds)
     where k.name = p_name
       and k.paid_until > p_now + make_interval(secs => v_task.key_rate_period_seconds);
  end if;

  -- Visit the limit keys that have ready tasks, starting after the key that had the last turn. After the last key come the
  -- tasks without a limit key, then the first key. A key is closed if its places are taken or its rate is used up. After 500
  -- closed keys the loop ends. If it has found no open key, the next claim continues after the last closed key.
  v_key := v_last;
  while cardinality(v_keys) < p_limit loop
    v_key := (
      select t.limit_key
        from tasklib.tasks as t
       where t.name = p_name
         and t.ready
         and t.limit_key is not null
         and t.limit_key > v_key
       order by t.limit_key
       limit 1
    );
    exit when v_wrapped and (v_key <= v_last) is not true;
    if v_key is null then
      v_wrapped := true;
      v_key := '';
      continue when not exists (
        select from tasklib.tasks as t where t.name = p_name and t.ready and t.limit_key is null
      );
      v_places := p_limit;
    else
      v_places := tasklib.key_places(v_task, v_key, p_limit, p_now);
      if v_places <= 0 then
        v_closed := v_closed + 1;
        exit when v_closed = 500;
        continue;
      end if;
    end if;
    v_keys := v_keys || v_key;
    v_free := v_free || v_places;
  end loop;
  if v_keys = '{}' then
    update tasklib.task_limits as l
       set last_key = v_key
     where l.name = p_name
       and v_closed = 500;
    return '{}';
  end if;

  update tasklib.task_limits as l
     set last_key = v_keys[cardinality(v_keys)]
   where l.name = p_name
     and l.last_key <> v_keys[cardinality(v_keys)];
  return tasklib.lock_turns(p_name, v_keys, v_free, p_limit);
end;
$$;

comment on function tasklib.take_turns is
$$Locks at most p_limit ready tasks of a name whose limit keys take turns, and returns their ids. Takes one task of each limit key, then a second task of each limit key, and so on. Within a limit key, takes tasks by priority, then by age, and no more tasks than the limits of the key allow. Skips tasks that other transactions hold. The caller has locked the name's row in tasklib.task_limits in an earlier statement.$$;
