create or replace function tasker.steps_rerun(p_task_uuid uuid, p_step_nos integer[], p_replaced integer[])
  returns void
  language plpgsql
as $$
begin
  perform tasker.forget_runs(p_task_uuid, p_step_nos);
  perform tasker.replace_children(p_task_uuid, p_step_nos || p_replaced);
  perform tasker.replace_instances(p_task_uuid, p_step_nos, p_replaced);
end;
$$;

comment on function tasker.steps_rerun is
$$Door: these steps of a task run again, and new instances replace the instances p_replaced of the task's maps. Deletes
the kept results of durable functions, and detaches steps from the tasks that they started and maps from their
instances. The caller holds the locks of the task and its steps, and counts parents afterwards.$$;
