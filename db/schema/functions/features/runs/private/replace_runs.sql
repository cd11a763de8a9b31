create or replace function tasker.replace_runs(p_run tasker.runs, p_runs jsonb)
  returns boolean
  language plpgsql
as $$
declare
  v_running boolean := p_runs ->> 'further' = 'cancel_running';
  v_max     integer := (p_runs ->> 'max')::integer;
  v_free    integer := v_max - tasker.count_runs(p_run, 'running');
  v_line    uuid[]; -- waiting tasks, the newest first
  v_keep    integer;
  v_gone    uuid[];
  v_locked  uuid[];
begin
  v_line := array(
    select r.task_uuid
      from tasker.runs as r
     where r.namespace = p_run.namespace
       and r.name = p_run.name
       and r.run_key = p_run.run_key
       and r.state = 'waiting'
       and r.line_at <= tasker.clock()
     order by r.line_at desc, r.line_no desc
  );
  v_keep := least(case when v_running then v_max else greatest(v_free, 1) end, cardinality(v_line));
  v_gone := v_line[v_keep + 1 :];
  if v_running then
    v_gone := v_gone || array(
      select r.task_uuid
        from tasker.runs as r
       where r.namespace = p_run.namespace
         and r.name = p_run.name
         and r.run_key = p_run.run_key
         and r.state = 'running'
       order by r.run_at, r.line_no
       limit greatest(v_keep - v_free, 0)
    );
  end if;
  if v_gone = '{}' then
    return true;
  end if;

  v_locked := tasker.lock_tasks(v_gone);
  -- Cancel in the order of the UUIDs, because each cancellation also locks the task's steps.
  perform tasker.move_task(t.task, 'Cancel', 'cancelled', null, jsonb_build_object('reason', format('replaced by task %s', v_line[1])), null)
     from unnest(array(select u.task_uuid from unnest(v_locked) as u (task_uuid) order by u.task_uuid)) as u (task_uuid)
    cross join lateral (
      select t as task
        from tasker.tasks as t
       where t.task_uuid = u.task_uuid
         and not t.complete
         and not tasker.is_undone(t.undo)
      offset 0
    ) as t;
  return cardinality(v_locked) = cardinality(v_gone);
end;
$$;

comment on function tasker.replace_runs is
$$Cancels the tasks that the newest waiting tasks of a key replace: older waiting tasks and, with cancel_running, the tasks that have run longest. A task with steps to undo keeps its place until the undo has ended. Returns false if another transaction holds one of these tasks. The caller holds the key.$$;
