create or replace function tasker.undo_next(p_task tasker.tasks, p_limit integer, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_facts   tasker.task_facts := tasker.lock_task_facts(p_task.task_uuid);
  v_level   integer           := (p_task.undo ->> 'level')::integer;
  v_numbers integer[];
begin
  -- A level begins when the one below it is done; a failure for good waits for an operator.
  if v_facts.open_steps > 0 and not p_task.undo ? 'after' or v_facts.failed_steps > (p_task.undo ->> 'failed')::integer then
    perform tasker.write_task(v_facts, 0, 0, 0, 0, 0, '{}', false, null, null, p_processor);
    return 0;
  end if;

  if not p_task.undo ? 'after' then
    select max(s.undo_level)
      into v_level
      from tasker.workflow_steps as s
     where s.task_uuid = p_task.task_uuid
       and s.undo_level > 0
       and s.undo_level < coalesce(v_level, 65537);
    if v_level is null then
      perform tasker.end_undo(p_task);
      return 0;
    end if;
  end if;
  v_numbers := tasker.insert_undo_steps(p_task, v_facts.namespace, v_level, coalesce((p_task.undo ->> 'after')::integer, 0), p_limit);
  -- The rest of a level comes in other transactions, after what else is due.
  v_facts.undo := (p_task.undo - 'after') || jsonb_build_object('level', v_level)
    || case when cardinality(v_numbers) = p_limit then jsonb_build_object('after', (
      select max(s.undo_no)
        from tasker.workflow_steps as s
       where s.task_uuid = p_task.task_uuid
         and s.step_no = any (v_numbers)
    )) else '{}' end;
  update tasker.tasks as t
     set undo = v_facts.undo
   where t.task_uuid = p_task.task_uuid;
  if cardinality(v_numbers) = p_limit then
    perform tasker.note_undo(array[p_task.task_uuid]);
  end if;
  if cardinality(v_numbers) > 0 then
    perform tasker.start_instances(v_facts, v_numbers, p_processor);
  else
    perform tasker.write_task(v_facts, 0, 0, 0, 0, 0, '{}', false, null, null, p_processor);
  end if;
  return cardinality(v_numbers);
end;
$$;

comment on function tasker.undo_next(tasker.tasks, integer, uuid) is
$$Starts compensations of the highest level that is not yet undone, at most p_limit, or ends the task if there is none; nothing while compensations run or one has failed for good. Returns how many it started. The caller holds the task's lock.$$;

revoke all on function tasker.undo_next(tasker.tasks, integer, uuid) from public;
