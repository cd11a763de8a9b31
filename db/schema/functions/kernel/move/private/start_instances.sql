create or replace function tasker.start_instances(p_task tasker.task_facts, p_numbers integer[], p_suspended boolean, p_processor uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_count integer := cardinality(p_numbers);
begin
  update tasker.tasks as t
     set total_steps = t.total_steps + v_count,
         open_steps  = t.open_steps + v_count
   where t.task_uuid = p_task.task_uuid;
  p_task.open_steps := p_task.open_steps + v_count;
  if p_suspended then
    perform tasker.write_task(p_task, 0, 0, 0, v_count, 0, '{}', null, null, p_processor);
    return;
  end if;
  perform tasker.write_task(p_task, 0, v_count, 0, 0, 0, p_numbers, null, null, p_processor);
  if p_task.transport = 'pgmq' then
    perform tasker.announce_steps(p_task.namespace, array_fill(p_task.task_uuid, array[v_count]), p_numbers);
  else
    perform tasker.notify_steps_ready(p_task.namespace);
  end if;
end;
$$;

comment on function tasker.start_instances is
$$Adds new instances of a map to the counters of their task, moves the task and notifies workers. Suspended instances belong to no worker. The caller holds the task's lock and passes its facts.$$;
