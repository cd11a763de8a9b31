create or replace function tasker.has_rare_rows(p_task_uuid uuid)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from tasker.added_step_edges as e where e.task_uuid = p_task_uuid)
      or exists (select from tasker.task_signals as g where g.task_uuid = p_task_uuid)
      or exists (select from tasker.kept_results as k where k.task_uuid = p_task_uuid)
      or exists (select from tasker.step_streams as h where h.task_uuid = p_task_uuid)
      or exists (select from tasker.stream_items as i where i.task_uuid = p_task_uuid)
      or exists (select from tasker.task_attributes as a where a.task_uuid = p_task_uuid)
      or exists (select from tasker.tasks_dlq as d where d.task_uuid = p_task_uuid);
end;
$$;

comment on function tasker.has_rare_rows is
$$Returns whether a task has rows that only few tasks have: added edges, signals, kept results, streams, attributes or
dead letters. The caller holds the task's lock.$$;
