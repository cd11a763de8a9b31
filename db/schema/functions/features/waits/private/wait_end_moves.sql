create or replace function tasker.wait_end_moves(p_task_uuids uuid[], p_step_nos integer[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select tasker.ended_wait(
        s.task_uuid, s.step_no, s.ended_by,
        case
          when s.problem is not null then 'fail'
          when s.ended_by = 'timeout' then s.await ->> 'on_timeout'
          else 'complete'
        end,
        null,
        coalesce(
          s.problem,
          case s.ended_by
            when 'timeout' then format('timed out after %s seconds', s.await ->> 'timeout')
            else 'its time came'
          end
        ),
        null
      )
      from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
     cross join lateral (
       select s.task_uuid, s.step_no, s.await, e.ended_by, e.problem
         from tasker.workflow_steps as s
        cross join tasker.tasks as t
        cross join lateral tasker.wait_end(s.await, t.context, s.moved_at) as e
        where s.task_uuid = u.task_uuid
          and s.step_no = u.step_no
          and s.state = 'suspended'
          and s.await is not null
          and t.task_uuid = u.task_uuid
       offset 0
     ) as s
     where s.ended_by is not null
     order by s.task_uuid, s.step_no
  );
end;
$$;

comment on function tasker.wait_end_moves is
$$Returns the moves of these steps whose wait has ended by time. A step that waited for this time completes. After a time-out the step fails, is skipped or completes, as its template says.$$;
