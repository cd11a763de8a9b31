create or replace function tasker.erase_rare_rows(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.added_step_edges as e
     set name      = 'erased',
         condition = null
   where e.task_uuid = p_task_uuid;
  update tasker.task_signals as g
     set name            = 'erased',
         payload         = tasker.erased_json(g.payload),
         idempotency_key = null
   where g.task_uuid = p_task_uuid;
  perform tasker.forget_attributes(p_task_uuid);
  perform set_config('tasker.forgets', 'on', true);
  delete from tasker.kept_results as k where k.task_uuid = p_task_uuid;
  perform set_config('tasker.forgets', '', true);
  update tasker.tasks_dlq as d
     set resolution_notes = tasker.erased_text(d.resolution_notes),
         -- Keep the namespace, because it decides who may see the investigation.
         task_snapshot    = jsonb_build_object('erased', true, 'task', jsonb_build_object(
           'namespace', d.task_snapshot #> '{task,namespace}', 'name', d.task_snapshot #> '{task,name}',
           'version', d.task_snapshot #> '{task,version}'
         )),
         metadata         = tasker.erased_json(d.metadata)
   where d.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.erase_rare_rows is
$$Erases the data in the rows that only few tasks have: added edges, signals, attributes, kept results and dead letters.
tasker.erase_rows calls this function.$$;
