create or replace function tasker.change_priority(p_task_uuid uuid, p_by integer)
  returns void
  language plpgsql
as $$
declare
  v_moves tasker.step_moves[];
  v_moved boolean;
begin
  perform from tasker.workflow_steps as s where s.task_uuid = p_task_uuid order by s.step_no for no key update;
  update tasker.workflow_steps as s
     set priority = s.priority + p_by
   where s.task_uuid = p_task_uuid;
  with moved as (
    update tasker.step_queue as q
       set lane       = case when q.lane in ('limited', 'paused') then q.lane else tasker.step_lane('enqueued', s.priority) end,
           limit_lane = case when q.limit_no is not null then tasker.step_lane('enqueued', s.priority) end
      from tasker.workflow_steps as s
     where q.task_uuid = p_task_uuid
       and q.lane not in ('running', 'results')
       and s.task_uuid = p_task_uuid
       and s.step_no = q.step_no
    returning q.step_no, q.lane
  )
  select
    array_agg(tasker.step_move(
      p_task_uuid => p_task_uuid, p_step_no => m.step_no, p_from_state => 'pending', p_event => 'Enqueue', p_to_state => 'enqueued'
    ) order by m.step_no) filter (where m.lane = 'limited'),
    count(*) > 0
    into v_moves, v_moved
    from moved as m;
  if v_moves is not null then
    perform tasker.moved(v_moves, 4::smallint);
  end if;
  update tasker.waiting_tasks as w
     set priority      = w.priority + p_by,
         dispatch_rank = tasker.dispatch_rank(t.priority, n.priority_modifier, w.waiting_since, 0, t.requested_at, t.deadline)
    from tasker.tasks as t
   cross join tasker.task_namespaces as n
   where w.task_uuid = p_task_uuid
     and t.task_uuid = p_task_uuid
     and n.name = tasker.namespace_of_task(p_task_uuid);
  perform tasker.change_run_rank(p_task_uuid, p_by);
  if v_moved then
    perform tasker.announce_steps(tasker.namespace_of_task(p_task_uuid), array[p_task_uuid]);
  end if;
end;
$$;

comment on function tasker.change_priority is
$$Adds p_by to the priority of a task's steps, and moves the steps to the lanes of their new priority. Also moves the
task in the line of its key, and among the tasks that wait for an orchestrator. The caller holds the task's lock and has
written the task's priority.$$;
