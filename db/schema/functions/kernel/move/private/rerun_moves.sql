create or replace function tasker.rerun_moves(
  p_task      tasker.task_facts,
  p_from      integer,
  p_again     integer[],
  p_replaced  integer[],
  p_reason    text,
  p_actor     text
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_from text := (
    select s.name from tasker.workflow_steps as s where s.task_uuid = p_task.task_uuid and s.step_no = p_from
  );
begin
  -- Claims and renewals do not lock the task. So lock the steps, whose states must not change before the moves are
  -- written.
  perform
     from tasker.workflow_steps as s
    where s.task_uuid = p_task.task_uuid
    order by s.step_no
      for no key update;
  return array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => s.state,
      p_first_event => case when u.replaced and s.state <> 'pending' then 'Rerun' end,
      p_via_state => case when u.replaced and s.state <> 'pending' then 'pending'::tasker.step_state end,
      p_event => case when u.step_no is null then 'Reset' when u.replaced then 'Skip' else 'Rerun' end,
      p_to_state => case when u.replaced then 'cancelled'::tasker.step_state else 'pending' end,
      p_actor => p_actor,
      p_reason => case
        when u.step_no is null or s.step_no = p_from then p_reason
        when u.replaced then left(format('its map runs again with step "%s": %s', v_from, p_reason), 1000)
        else left(format('step "%s" runs again: %s', v_from, p_reason), 1000)
      end,
      -- The log keeps the result that is replaced.
      p_metadata => case
        when u.step_no is not null and s.results is not null then jsonb_build_object('from_step', v_from, 'replaced', s.results)
        when u.step_no is not null then jsonb_build_object('from_step', v_from)
      end
    )
      from tasker.workflow_steps as s
      left join (
        select n.step_no, false as replaced from unnest(p_again) as n (step_no)
        union all
        select n.step_no, true from unnest(p_replaced) as n (step_no)
      ) as u
        on u.step_no = s.step_no
     where s.task_uuid = p_task.task_uuid
       and (
         u.step_no is not null and (s.state <> 'pending' or u.replaced)
         -- A task that has failed continues, as after a reset.
         or u.step_no is null and p_task.state = 'error' and s.state = 'error'
       )
     order by s.step_no
  );
end;
$$;

comment on function tasker.rerun_moves is
$$Returns the moves of the steps that run again with p_from. The steps p_again become pending. The steps p_replaced, which are instances of maps that run again, are skipped. If the task has failed, its other failed steps are reset. The log row of each step names p_from and keeps the result that the step loses. Locks the task's steps. The caller holds the task's lock.$$;
