create or replace function tasker.is_finalized_by_another(p_task tasker.tasks, p_processor uuid)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select
      from tasker.finalization_claims as c
     where c.task_uuid = p_task.task_uuid
       and c.transition_count = p_task.transition_count
       and c.claimed_until > tasker.clock()
       and c.processor_uuid is distinct from p_processor
  );
end;
$$;

comment on function tasker.is_finalized_by_another is
$$Returns true if another processor has claimed the finalisation of a task, its claim has not ended, and the task has not changed its state since the claim. The caller holds the task's lock.$$;
