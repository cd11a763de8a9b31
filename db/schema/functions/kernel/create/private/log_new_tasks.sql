create or replace function tasker.log_new_tasks(p_template tasker.creation_templates, p_task_uuids uuid[], p_at timestamptz)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.task_log (task_uuid, sort_key, path, outcome, created_at, xact)
  select
    u.task_uuid, p_template.transition_count, p_template.path, p_template.ready, p_at, (select pg_current_xact_id()::text::bigint)
    from unnest(p_task_uuids) as u (task_uuid);
end;
$$;

comment on function tasker.log_new_tasks is
$$Logs the path of new tasks that start at once. It leads to steps_in_process, for tasks without steps to complete, and for tasks whose first steps all wait to waiting_for_dependencies.$$;
