create or replace function tasker.begin_runs(p_task_uuids uuid[], p_start_at timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_line   timestamptz := greatest(p_start_at, v_now);
  v_served uuid[]      := '{}';
  v_run    tasker.runs;
  v_place  integer     := 0;
begin
  if p_task_uuids = '{}' then
    return;
  end if;
  perform tasker.check_isolation();
  perform tasker.enter_runs(p_task_uuids, v_line);
  if v_line > v_now then
    perform tasker.note_runs(p_task_uuids, v_line);
    return;
  end if;

  -- Serve each key once. Leave the keys beyond 100 to later claims, so that a call does not use up all locks of the
  -- server.
  for v_run in
    select distinct on (r.run_key) r.*
      from tasker.runs as r
     where r.task_uuid = any (p_task_uuids)
     order by r.run_key, r.line_no
  loop
    v_place := v_place + 1;
    if v_place > 100 or not tasker.serve_runs(v_run, null) then
      v_served := v_served || v_run.task_uuid;
    end if;
  end loop;
  if v_served <> '{}' then
    perform tasker.note_runs(v_served, v_now);
  end if;
end;
$$;

comment on function tasker.begin_runs is
$$Puts new tasks into the lines of their keys, and starts the tasks that get a place. Waits for no other transaction. If another transaction has locked a key, a later claim starts the tasks of this key. Raises TK409 above READ COMMITTED. The caller has inserted the tasks, which have not started.$$;
