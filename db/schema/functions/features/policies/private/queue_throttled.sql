create or replace function tasker.queue_throttled(p_task_uuids uuid[], p_start_at timestamptz, p_from timestamptz, p_each interval)
  returns void
  language plpgsql
as $$
begin
  update tasker.timers as m
     set due_at = greatest(nullif(p_start_at, tasker.clock() + interval '1 microsecond'), p_from + p_each * u.place, tasker.clock())
    from unnest(p_task_uuids) with ordinality as u (task_uuid, place)
   where m.task_uuid = u.task_uuid
     and m.step_no = 0
     and m.kind = 'start_task';
end;
$$;

comment on function tasker.queue_throttled is
$$Sets the start times of new tasks that wait in the queue of a throttle. The first task starts p_each after p_from, and each further task p_each after the preceding task. No task starts before p_start_at.$$;
