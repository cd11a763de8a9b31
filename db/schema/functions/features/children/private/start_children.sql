create or replace function tasker.start_children(p_due tasker.timers[], p_processor uuid)
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_note     tasker.timers;
  v_error    text;
  v_function boolean;
  v_moves    tasker.step_moves[] := '{}';
  v_later    tasker.timers[]     := '{}';
begin
  for v_note in select d.* from unnest(p_due) as d where d.kind = 'start_child' order by d.task_uuid, d.step_no loop
    v_function := exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = v_note.task_uuid
         and s.step_no = v_note.step_no
         and s.await is null
    );
    v_error := case
      when v_function then tasker.start_tasks(v_note.task_uuid, v_note.step_no)
      else tasker.start_child(v_note.task_uuid, v_note.step_no, p_processor)
    end;
    if v_error in ('busy', 'later') then
      v_note.due_at := tasker.clock() + case v_error when 'busy' then interval '100 milliseconds' else tasker.later_start(v_note) end;
      v_later := v_later || v_note;
    elsif v_function and v_error is not null then
      v_moves := v_moves || tasker.ended_wait(
        v_note.task_uuid, v_note.step_no, 'task', null, jsonb_build_object('error', v_error), null, null, true
      );
    elsif v_error is not null then
      v_moves := v_moves || tasker.ended_wait(v_note.task_uuid, v_note.step_no, null, 'fail', null, v_error, null);
    end if;
  end loop;
  if cardinality(v_moves) > 0 then
    perform tasker.apply_moves(
      v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), p_processor
    );
  end if;
  return v_later;
end;
$$;

comment on function tasker.start_children is
$$Starts the tasks that steps wait for, each in a subtransaction. If a task cannot be started, fails its step, or ends the wait of its durable function with the error. Returns the notes to try again, with the time of the next try. The caller holds the notes and the parents' locks.$$;
