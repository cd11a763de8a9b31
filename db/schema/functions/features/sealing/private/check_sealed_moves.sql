create or replace function tasker.check_sealed_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_plain record;
begin
  -- Two kinds of results are not checked: the end of a wait, which the database composes (a signal's payload was checked
  -- when it was sent), and a result that a fork takes over from an encrypted step.
  select m.task_uuid, m.step_no, case when m.error is null then 'result' else 'error' end as what
    into v_plain
    from unnest(p_moves) as m
   -- Read the results from the step's row, because writers of many moves pass the moves without results.
   cross join lateral (
     select s.results
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and m.to_state in ('enqueued_for_orchestration', 'complete', 'resolved_manually')
     union all
     select null
     limit 1
   ) as s
   where m.effects & 8192 <> 0
     and m.from_state <> 'suspended'
     and case
       when m.error is not null then m.from_state = 'in_progress' and not tasker.is_sealed_error(m.error)
       else coalesce(m.result, s.results, 'null') <> 'null' and not tasker.is_sealed(coalesce(m.result, s.results))
     end
     and not (m.metadata ? 'forked_from' and tasker.taken_over(m.metadata ->> 'forked_from', coalesce(m.result, s.results)))
   limit 1;
  if found then
    perform tasker.refuse_plain(tasker.step_uuid(v_plain.task_uuid, v_plain.step_no), v_plain.what);
  end if;
end;
$$;

comment on function tasker.check_sealed_moves is
$$Raises TK422 if a step of an encrypted template has a result or an error in the clear. The error rolls back the transaction of the move.$$;
