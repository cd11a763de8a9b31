create or replace function tasker.run_end(p_started jsonb, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_no     integer;
  v_task   record;
  v_result jsonb;
  v_left   bigint := p_bytes;
  v_tasks  jsonb  := '[]';
begin
  -- Check the last task first, because tasks that were started first usually end first.
  for v_no in reverse jsonb_array_length(p_started) - 1..0 loop
    if exists (select from tasker.tasks as t where t.task_uuid = (p_started ->> v_no)::uuid and not t.complete) then
      return null;
    end if;
  end loop;
  for v_no in 0..jsonb_array_length(p_started) - 1 loop
    select u.task_uuid, t.state
      into v_task
      from (select (p_started ->> v_no)::uuid as task_uuid) as u
      left join tasker.tasks as t
        on t.task_uuid = u.task_uuid;
    v_result := jsonb_build_object('task_uuid', v_task.task_uuid);
    if v_task.state in ('complete', 'resolved_manually') then
      v_result := v_result || coalesce(
        jsonb_build_object('result', tasker.task_result(v_task.task_uuid, v_left)),
        '{}'
      );
      if v_result -> 'result' = 'null' then
        v_result := v_result - 'result' || jsonb_build_object('error', format(
          'the results of task %s and of those before it have more than %s bytes, the setting "result_bytes"', v_task.task_uuid, p_bytes
        ));
      else
        v_left := v_left - octet_length(v_result ->> 'result');
      end if;
    else
      v_result := v_result || jsonb_build_object('error', case
        when v_task.state = 'cancelled' then format('task %s was cancelled', v_task.task_uuid)
        when v_task.state is null then format('task %s is gone', v_task.task_uuid)
        else format('task %s failed: %s', v_task.task_uuid, tasker.child_failure(v_task.task_uuid))
      end);
    end if;
    v_tasks := v_tasks || v_result;
  end loop;
  return jsonb_build_object('tasks', v_tasks);
end;
$$;

comment on function tasker.run_end is
$$Returns the outcomes of the tasks that a function started, in the order of the tasks, each with its result or its error. All results together have at most p_bytes. Returns null while one of the tasks is open. The caller holds the lock of the function's task.$$;
