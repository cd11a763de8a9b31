create or replace function tasker.start_child(p_task_uuid uuid, p_step_no integer, p_processor uuid)
  returns text
  language plpgsql
as $$
declare
  v_parent tasker.tasks;
  v_child  tasker.tasks;
  v_step   record;
  v_tree   text;
begin
  select s.await, s.child_task_uuid
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no
     and s.state = 'suspended'
     and s.await ? 'task';
  if not found then
    return null;
  end if;

  if exists (
    select
      from tasker.tasks as t
     where t.task_uuid = v_step.child_task_uuid
       and t.state <> 'cancelled'
       and (t.complete and t.undo ? 'phase') is not true
  ) then
    if tasker.lock_tasks(array[v_step.child_task_uuid]) = '{}' then
      return 'busy';
    end if;
    select t.* into v_child from tasker.tasks as t where t.task_uuid = v_step.child_task_uuid;
  end if;
  if v_child.state in ('complete', 'resolved_manually') then
    perform tasker.note_child_end(array[v_child.task_uuid]);
  elsif v_child.state <> 'cancelled' then
    -- A failed or blocked task is reset and continues from its failed steps. A running task just continues.
    if tasker.reset_locked_task(v_child, 'retried by its parent', 'task ' || p_task_uuid) then
      perform tasker.advance_tasks(array[v_child.task_uuid], p_processor);
    end if;
  else
    v_parent := tasker.starting_parent(p_task_uuid);
    if v_parent.parent_step_uuid is not null then
      v_tree := tasker.tree_problem(v_parent);
      if v_tree is not null then
        return v_tree;
      end if;
    end if;
    update tasker.workflow_steps as s
       set child_task_uuid = tasker.make_child(v_parent, p_step_no, v_step.await -> 'task')
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no;
  end if;
  return null;
exception
  -- A missing template or a context that is too large fails the step. Such an error must not fail the claim that found
  -- the note due.
  when others then
    -- Another transaction has locked the runs of the task's key.
    if sqlstate = 'TK409' and starts_with(sqlerrm, 'another transaction has the runs of key') then
      return 'busy';
    end if;
    -- An error that would come again at the next try fails the step, too. Only errors of the server's state can pass.
    if sqlstate like 'TK%' or left(sqlstate, 2) not in ('40', '53', '55', '57', '58') then
      return left(sqlerrm, 1000);
    end if;
    raise warning 'the task of step % of task % cannot be started yet: %', p_step_no, p_task_uuid, sqlerrm;
    return 'later';
end;
$$;

comment on function tasker.start_child is
$$Starts the task of a suspended step, or continues the task that the step already has: resets a failed task, takes the result of a finished task, and replaces a cancelled, undone or dropped task. Returns null if the task was started or continued, and "busy" if another transaction has the task locked. Returns "later" after an error of the server that can pass, such as a full disk, or while an ancestor is being cancelled. Otherwise returns the reason why the task cannot be started. The caller holds the parent's lock and the note.$$;
