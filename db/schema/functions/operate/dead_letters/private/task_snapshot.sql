create or replace function tasker.task_snapshot(p_task_uuid uuid)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task  tasker.tasks;
  v_moves bigint;
  v_bytes integer;
  v_log   integer;
begin
  select t.* into strict v_task from tasker.tasks as t where t.task_uuid = p_task_uuid;
  select coalesce(sum(s.transition_count), 0)
    into v_moves
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid;
  -- The values of all steps have about 16 MiB, and the values of each log have about 16 MiB. The numbers of rows are
  -- bounded, too. So the snapshot stays below the 256 MB that a jsonb can have.
  v_bytes := least(65536, 16777216 / greatest(v_task.total_steps, 1));
  v_log := least(65536, 16777216 / least(greatest(v_moves, v_task.transition_count, 1), 50000));

  return jsonb_build_object(
    'taken_at', tasker.clock(),
    'task', tasker.snapshot_row(to_jsonb(v_task), 16777216) || (
      select jsonb_build_object('namespace', n.name, 'name', k.name, 'version', k.version)
        from tasker.named_tasks as k
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where k.named_task_uuid = v_task.named_task_uuid
    ),
    'steps', coalesce((
      select jsonb_agg(tasker.snapshot_row(to_jsonb(s), v_bytes) order by s.step_no)
        from tasker.workflow_steps as s
       where s.task_uuid = p_task_uuid
    ), '[]'),
    'edges', coalesce((
      select jsonb_agg(to_jsonb(e) - 'task_uuid' order by e.from_step_no, e.to_step_no)
        from (select e.* from tasker.workflow_step_edges as e where e.task_uuid = p_task_uuid limit 200000) as e
    ), '[]'),
    'task_history', coalesce((
      select jsonb_agg(tasker.snapshot_row(to_jsonb(l) - '{task_uuid,row_key}'::text[], v_log) order by l.sort_key)
        from (
          select l.*
            from tasker.task_transition_log as l
           where l.task_uuid = p_task_uuid
           order by l.row_key desc, l.sort_key desc
           limit 50000
        ) as l
    ), '[]'),
    'step_history', coalesce((
      select jsonb_agg(tasker.snapshot_row(to_jsonb(l) - '{task_uuid,row_key}'::text[], v_log) order by l.step_no, l.sort_key)
        from (
          select l.*
            from tasker.workflow_step_transition_log as l
           where l.task_uuid = p_task_uuid
           order by l.created_at desc, l.step_no desc, l.sort_key desc
           limit 50000
        ) as l
    ), '[]'),
    'queue', coalesce((
      select jsonb_agg(to_jsonb(q) - 'task_uuid' order by q.step_no)
        from tasker.step_queue as q
       where q.task_uuid = p_task_uuid
    ), '[]'),
    'timers', coalesce((
      select jsonb_agg(to_jsonb(m) - 'task_uuid' order by m.step_no, m.kind)
        from tasker.timers as m
       where m.task_uuid = p_task_uuid
    ), '[]')
  );
end;
$$;

comment on function tasker.task_snapshot is
$$Returns a task as JSON: its row, steps, edges, history, queue rows and timers. Very large values are replaced by their
size (tasker.snapshot_row). The snapshot has at most 200,000 edges, and the newest 50,000 rows of each history.$$;
