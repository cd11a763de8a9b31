create or replace function tasker.schedule_task(p_task_uuid uuid, p_event text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_event = 'Start' then
    delete from tasker.timers as m
     where m.task_uuid = p_task_uuid
       and m.kind = 'start_task';
  elsif p_event in ('Reset', 'Rerun') then
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    select
      t.task_uuid,
      'task_deadline',
      t.deadline,
      tasker.namespace_of_task(p_task_uuid)
    from tasker.tasks as t
    where t.task_uuid = p_task_uuid
      and t.deadline > tasker.clock();
  end if;

  perform tasker.advance_later(p_task_uuid);
end;
$$;

comment on function tasker.schedule_task is
$$Updates a task's timers and its waiting row for its new state. The caller holds the task's lock.$$;
