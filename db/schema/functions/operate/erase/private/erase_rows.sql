create or replace function tasker.erase_rows(p_task_uuid uuid, p_rare boolean)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  update tasker.tasks as t
     set initiator     = tasker.erased_text(t.initiator),
         source_system = tasker.erased_text(t.source_system),
         reason        = tasker.erased_text(t.reason),
         tags          = case when t.tags = '{}' then t.tags else '{erased}' end,
         headers       = tasker.erased_json(t.headers),
         context       = tasker.erased_json(t.context),
         -- Keep the phase and the event, because they are words of the engine.
         undo          = t.undo || jsonb_strip_nulls(jsonb_build_object(
           'actor', tasker.erased_text(t.undo ->> 'actor'), 'metadata', tasker.erased_json(t.undo -> 'metadata')
         )),
         erased_at     = tasker.write_clock()
   where t.task_uuid = p_task_uuid;

  update tasker.workflow_steps as s
     set last_error     = tasker.erased_text(s.last_error),
         inputs         = case when s.inputs = k.initialization then s.inputs else tasker.erased_json(s.inputs) end,
         await          = case when s.await = k.await then s.await else tasker.erased_json(s.await) end,
         for_each       = case when s.for_each = k.for_each then s.for_each else tasker.erased_json(s.for_each) end,
         results        = tasker.erased_json(s.results),
         checkpoint     = tasker.erased_json(s.checkpoint),
         function_state = tasker.erased_json(s.function_state),
         wait           = tasker.erased_json(s.wait),
         limit_key      = tasker.erased_text(s.limit_key)
    from (
      -- Columns with the same value as in the template have no data of the run.
      select o.step_no, n.initialization, n.await, n.for_each
        from tasker.workflow_steps as o
        join tasker.tasks as t
          on t.task_uuid = o.task_uuid
        left join tasker.named_tasks_named_steps as n
          on n.named_task_uuid = t.named_task_uuid
         and n.step_no = o.step_no
       where o.task_uuid = p_task_uuid
    ) as k
   where s.task_uuid = p_task_uuid
     and s.step_no = k.step_no;

  -- Keep only the counts in the metadata that the engine itself wrote. The metadata of a caller may have any content.
  update tasker.task_log as l
     set actor    = tasker.erased_text(l.actor),
         reason   = tasker.erased_text(l.reason),
         metadata = case when l.actor is null then tasker.erased_outcome(l.metadata) else tasker.erased_metadata(l.metadata) end,
         outcome  = tasker.erased_outcome(l.outcome)
   where l.task_uuid = p_task_uuid;
  update tasker.step_log as l
     set actor         = tasker.erased_text(l.actor),
         reason        = tasker.erased_text(l.reason),
         metadata      = tasker.erased_metadata(l.metadata),
         -- Delete the digest, because a short result can be guessed from it.
         result_digest = null
   where l.task_uuid = p_task_uuid;

  -- Even a statement that finds no row opens all partitions and runs its triggers.
  if p_rare then
    perform tasker.erase_rare_rows(p_task_uuid);
  end if;
  perform tasker.erase_copies(p_task_uuid);
end;
$$;

comment on function tasker.erase_rows is
$$Replaces the data of a task that has ended, and all copies of this data, by the word "erased". Deletes the kept
results of the task's functions and its streams. With p_rare, also erases the rows that tasker.has_rare_rows finds. The
guards of the history allow only this function to change the history. The caller holds the task's lock.$$;
