create or replace function tasker.undo_next(p_task tasker.tasks, p_limit integer, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_facts   tasker.task_facts := tasker.lock_task_facts(p_task.task_uuid);
  v_first   integer           := (p_task.undo ->> 'next')::integer;
  v_last    integer           := (select max(s.step_no) from tasker.workflow_steps as s where s.task_uuid = p_task.task_uuid);
  v_undone  integer[];
  v_numbers integer[];
  v_next    integer;
  v_rest    boolean;
begin
  -- A level begins when all steps of the higher level are undone. If a compensation has failed permanently, wait for an
  -- operator.
  if v_facts.open_steps > 0 and not p_task.undo ? 'rest' or v_facts.failed_steps > (p_task.undo ->> 'failed')::integer then
    perform tasker.write_task(v_facts, 0, 0, 0, 0, 0, '{}', null, null, p_processor);
    return 0;
  elsif v_first is null then
    perform tasker.end_undo(p_task);
    return 0;
  end if;

  -- Read one step more than may start, to see whether the level has further steps.
  v_undone := tasker.undo_line(p_task.task_uuid, v_first, p_limit + 1);
  v_rest := cardinality(v_undone) > p_limit;
  v_undone := v_undone[:p_limit];
  v_numbers := tasker.undo_numbers(
    p_task.task_uuid, v_last, cardinality(v_undone), (p_task.undo ->> 'gap')::integer
  );
  v_next := (
    select s.undo_next
      from tasker.workflow_steps as s
     where s.task_uuid = p_task.task_uuid
       and s.step_no = v_undone[cardinality(v_undone)]
  );
  perform tasker.insert_undo_steps(p_task, v_facts.namespace, v_undone, v_numbers);
  v_facts.undo := p_task.undo - 'next' - 'rest'
    || case when v_next is not null then jsonb_build_object('next', v_next) else '{}' end
    || case when v_rest then '{"rest": true}'::jsonb else '{}' end
    || case when v_numbers[1] < v_last then jsonb_build_object('gap', v_numbers[cardinality(v_numbers)]) else '{}' end;
  update tasker.tasks as t
     set undo = v_facts.undo
   where t.task_uuid = p_task.task_uuid;
  -- Other transactions start the rest of the level, after other due timers.
  if v_rest then
    perform tasker.note_undo(array[p_task.task_uuid]);
  end if;
  perform tasker.start_instances(v_facts, v_numbers, false, p_processor);
  return cardinality(v_numbers);
end;
$$;

comment on function tasker.undo_next is
$$Starts at most p_limit compensations of the highest level that is not yet undone, or ends the task if no step is left to undo. Starts no compensation while compensations of a higher level run, or after a compensation has failed permanently. Returns the number of started compensations. The caller holds the task's lock. Reads only the steps that are undone.$$;
