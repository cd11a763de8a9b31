create or replace function tasker.lock_free_runs(p_run tasker.runs, p_runs jsonb, p_keys text[], p_wait boolean)
  returns jsonb
  language plpgsql
as $$
declare
  v_keys text[] := array(select distinct k.key from unnest(p_keys) as k (key) order by k.key);
begin
  if cardinality(v_keys) > 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('%s keys of runs in one call', cardinality(v_keys)),
      detail  = format('Template "%s/%s": %s.', p_run.namespace, p_run.name, p_runs ->> 'further'),
      hint    = 'Create tasks of at most 1,000 keys in a call, since each key is locked.';
  end if;
  foreach p_run.run_key in array v_keys loop
    if not tasker.lock_run_key(p_run.namespace, p_run.name, p_run.run_key, p_wait) then
      raise exception using
        errcode = 'TK409',
        message = format('another transaction has the runs of key "%s"', left(p_run.run_key, 100)),
        hint    = 'Try again.';
    end if;
  end loop;
  -- A new statement sees all rows that were committed before the locks were granted.
  return (
    select coalesce(jsonb_object_agg(k.key, jsonb_build_object('free', (p_runs ->> 'max')::integer - r.tasks, 'task', r.task_uuid)), '{}')
      from unnest(v_keys) as k (key)
     cross join lateral (
       select count(*) as tasks, (array_agg(r.task_uuid order by r.state, r.line_at desc, r.line_no desc))[1] as task_uuid
         from tasker.runs as r
        where r.namespace = p_run.namespace
          and r.name = p_run.name
          and r.run_key = k.key
          and r.state in ('running', 'waiting')
     ) as r
  );
end;
$$;

comment on function tasker.lock_free_runs is
$$Locks keys of a template's runs in their order. Returns an object that has for each key the number of its free places and the newest task that runs (or, if none runs, waits). Raises TK422 for more than 1,000 keys and, without p_wait, TK409 if another transaction holds one of the keys.$$;
