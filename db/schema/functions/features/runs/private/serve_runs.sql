create or replace function tasker.serve_runs(p_run tasker.runs, p_processor uuid)
  returns boolean
  language plpgsql
as $$
declare
  v_runs    jsonb;
  v_free    integer;
  v_done    boolean := true;
  v_next    uuid[];
  v_locked  uuid[];
  v_started uuid[]  := '{}';
  v_uuid    uuid;
begin
  if not tasker.lock_run_key(p_run.namespace, p_run.name, p_run.run_key, false) then
    return false;
  end if;
  -- New statements see the line as it is under the lock. The template version of the newest waiting task decides.
  select p.runs
    into v_runs
    from tasker.runs as r
    join tasker.creation_plans as p
      on p.named_task_uuid = r.named_task_uuid
   where r.namespace = p_run.namespace
     and r.name = p_run.name
     and r.run_key = p_run.run_key
     and r.state = 'waiting'
     and r.line_at <= tasker.clock()
   order by r.line_at desc, r.line_no desc
   limit 1;
  if not found then
    return true;
  end if;
  if v_runs ->> 'further' in ('cancel_running', 'replace_waiting') then
    v_done := tasker.replace_runs(p_run, v_runs);
  end if;
  v_free := (v_runs ->> 'max')::integer - tasker.count_runs(p_run, 'running');
  if v_free <= 0 then
    return v_done;
  end if;

  v_next := array(
    select r.task_uuid
      from tasker.runs as r
     where r.namespace = p_run.namespace
       and r.name = p_run.name
       and r.run_key = p_run.run_key
       and r.state = 'waiting'
       and r.line_at <= tasker.clock()
     order by r.rank desc, r.line_at, r.line_no
     limit least(v_free, 100)
  );
  v_locked := tasker.lock_tasks(v_next);
  -- A task must not overtake an earlier task that another transaction holds.
  foreach v_uuid in array v_next loop
    exit when v_uuid <> all (v_locked);
    v_started := v_started || v_uuid;
  end loop;
  if v_started <> '{}' then
    perform tasker.start_runs(v_started, p_processor);
  end if;
  return v_done and cardinality(v_started) = cardinality(v_next) and cardinality(v_next) < 100;
end;
$$;

comment on function tasker.serve_runs is
$$Starts the next tasks of the key of p_run in the free places of the key, in the order that the template names. Before that, cancels the tasks that the newest request replaces. Locks the key, then the tasks, without waiting. Returns false if the call must be repeated, because another transaction holds the key or a task, or because more tasks may start.$$;
