create or replace function tasker.insert_dlq_entry(
  p_task_uuid  uuid,
  p_state      tasker.task_state,
  p_reason     text,
  p_notes      text,
  p_metadata   jsonb
)
  returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_entry uuid;
begin
  loop
    insert into tasker.tasks_dlq (task_uuid, original_state, dlq_reason, resolution_notes, task_snapshot, metadata)
    values (
      p_task_uuid, p_state, p_reason, p_notes, tasker.task_snapshot(p_task_uuid),
      jsonb_build_object('created_by', tasker.actor_name(null)) || coalesce(p_metadata, '{}')
    )
    on conflict (task_uuid) where resolution_status = 'pending' do nothing
    returning dlq_entry_uuid into v_entry;

    if v_entry is null then
      -- There is no row if an operator has closed the investigation in the meantime. Then the task needs a new
      -- investigation.
      select d.dlq_entry_uuid
        into v_entry
        from tasker.tasks_dlq as d
       where d.task_uuid = p_task_uuid
         and d.resolution_status = 'pending';
    end if;
    if v_entry is not null then
      return v_entry;
    end if;
  end loop;
end;
$$;

comment on function tasker.insert_dlq_entry is
$$Opens an investigation of a task with a snapshot of the task, and returns its UUID. If the task has an open
investigation, returns the UUID of that investigation. The caller holds the task's lock.$$;
