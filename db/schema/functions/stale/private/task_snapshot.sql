create or replace function tasker.task_snapshot(p_task_uuid uuid)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_task  tasker.tasks;
  v_bytes integer;
begin
  select t.* into strict v_task from tasker.tasks as t where t.task_uuid = p_task_uuid;
  -- At most 16 MiB for all results: those of a wide task could exceed the size of a jsonb.
  v_bytes := least(65536, 16777216 / greatest(v_task.total_steps, 1));

  return jsonb_build_object(
    'taken_at', tasker.clock(),
    'task', to_jsonb(v_task) || (
      select jsonb_build_object('namespace', n.name, 'name', k.name, 'version', k.version)
        from tasker.named_tasks as k
        join tasker.task_namespaces as n
          on n.task_namespace_uuid = k.task_namespace_uuid
       where k.named_task_uuid = v_task.named_task_uuid
    ),
    'steps', coalesce((
      select jsonb_agg(
          to_jsonb(s) || case
            when pg_column_size(s.results) > v_bytes
            then jsonb_build_object('results', jsonb_build_object('omitted_bytes', pg_column_size(s.results)))
            else '{}'
          end
          order by s.step_no
        )
        from tasker.workflow_steps as s
       where s.task_uuid = p_task_uuid
    ), '[]'),
    'edges', coalesce((
      select jsonb_agg(to_jsonb(e) - 'task_uuid' order by e.from_step_no, e.to_step_no)
        from tasker.workflow_step_edges as e
       where e.task_uuid = p_task_uuid
    ), '[]'),
    'task_history', coalesce((
      select jsonb_agg(to_jsonb(l) - 'task_uuid' order by l.sort_key)
        from tasker.task_transition_log as l
       where l.task_uuid = p_task_uuid
    ), '[]'),
    'step_history', coalesce((
      select jsonb_agg(to_jsonb(l) - 'task_uuid' order by l.step_no, l.sort_key)
        from tasker.workflow_step_transition_log as l
       where l.task_uuid = p_task_uuid
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

comment on function tasker.task_snapshot(uuid) is
$$Returns a task as JSON: its row, steps, edges, history, queue rows and timers. Very large results are replaced by their size.$$;

revoke all on function tasker.task_snapshot(uuid) from public;
