create or replace function tasker.supersede_debounced(p_namespace text, p_name text, p_key text, p_actor text)
  returns tasker.task_debounces
  language plpgsql
as $$
declare
  v_hash     bytea := sha256(convert_to(jsonb_build_array(p_namespace, p_name, p_key)::text, 'UTF8'));
  v_debounce tasker.task_debounces;
  v_task     tasker.tasks;
begin
  insert into tasker.task_debounces as d (key_hash, first_at)
  values (v_hash, tasker.clock())
  -- Insert and read in one statement. Otherwise maintenance could delete the row after an insertion that did nothing.
  on conflict (key_hash) do update
     set first_at = d.first_at
  returning d.* into v_debounce;
  if v_debounce.task_uuid is not null then
    select t.*
      into v_task
      from tasker.tasks as t
     where t.task_uuid = v_debounce.task_uuid
       for no key update;
  end if;

  if v_task.state is distinct from 'pending' then
    -- The task has started, or there is no task. The wait begins again.
    v_debounce.first_at := tasker.write_clock();
    return v_debounce;
  end if;
  perform tasker.move_task(
    v_task, 'Cancel', 'cancelled', null, jsonb_build_object('reason', 'a later request of the same key has replaced it'), p_actor
  );
  return v_debounce;
end;
$$;

comment on function tasker.supersede_debounced is
$$Locks a debounced key and cancels its last task, unless that task has started. Returns the key's row with the time of the first request since a task of the key last started.

Locks the key's row, then the task and its steps, and waits for these locks.$$;
