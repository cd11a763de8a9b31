create or replace function tasker.start_tasks(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit  integer := tasker.setting_integer('max_task_tree');
  v_parent tasker.tasks;
  v_step   record;
  v_tree   text;
  v_new    uuid[];
begin
  select s.wait -> 'tasks' as tasks, coalesce(cardinality(s.child_task_uuids), 0) as started
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no
     and s.state = 'suspended'
     and not s.wait ? 'started';
  if not found then
    return null;
  end if;
  v_parent := tasker.starting_parent(p_task_uuid);
  v_tree := case
    when v_step.started + jsonb_array_length(v_step.tasks) > v_limit then format(
      'more than %s tasks stand below task %s; the setting "max_task_tree" is the limit', v_limit, p_task_uuid
    )
    else tasker.tree_problem(v_parent)
  end;
  if v_tree is not null then
    return v_tree;
  end if;
  for v_no in 0..jsonb_array_length(v_step.tasks) - 1 loop
    v_new := v_new || tasker.make_child(v_parent, p_step_no, v_step.tasks -> v_no);
  end loop;
  update tasker.workflow_steps as s
     set child_task_uuids = s.child_task_uuids || v_new,
         wait             = s.wait || jsonb_build_object('started', v_new)
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no;
  return null;
exception
  -- The same rule as in start_child. The function gets an error that would come again at the next try.
  when others then
    if sqlstate like 'TK%' or left(sqlstate, 2) not in ('40', '53', '55', '57', '58') then
      return left(sqlerrm, 1000);
    end if;
    raise warning 'the tasks of the function of step % of task % cannot be started yet: %', p_step_no, p_task_uuid, sqlerrm;
    return 'later';
end;
$$;

comment on function tasker.start_tasks is
$$Starts either all tasks that a suspended function waits for, or none of them. Returns null if the tasks were started, and "later" after an error of the server that can pass or while an ancestor is being cancelled. Otherwise returns the reason why the tasks cannot be started. The caller holds the parent's lock and the note.$$;
