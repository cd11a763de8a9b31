create or replace function tasker.answer_results(
  p_results   tasker.step_results[],
  p_refusals  text[],
  p_written   tasker.step_moves[]
)
  returns tasker.step_answers[]
  language plpgsql
  stable
as $$
declare
  v_move    tasker.step_moves;
  v_aligned tasker.step_answers[];
begin
  if cardinality(p_written) = cardinality(p_results) then
    return array(
      select (
          tasker.step_uuid(m.task_uuid, m.step_no), m.claim_no, tasker.recorded_answer(m.to_state), m.next_retry_at
        )::tasker.step_answers
        from unnest(p_written) as m
       order by m.position
    );
  end if;

  -- Store each answer at the position of its result, because a join would compare each row with each other row.
  v_aligned := array_fill(null::tasker.step_answers, array[cardinality(p_results)]);
  foreach v_move in array p_written loop
    v_aligned[v_move.position] := row(
      null, null, tasker.recorded_answer(v_move.to_state), v_move.next_retry_at
    )::tasker.step_answers;
  end loop;
  return array(
    select (
        r.step_uuid,
        r.claim_no,
        coalesce(r.answer, tasker.result_answer(s.state, s.claim_no, r.claim_no, r.error is not null, r.refusal)),
        coalesce(r.next_retry_at, case when r.error is not null and s.claim_no = r.claim_no then s.next_retry_at end)
      )::tasker.step_answers
      from unnest(p_results, p_refusals, v_aligned) with ordinality as r (
        step_uuid, claim_no, result, error, permanent, backoff_seconds, execution_time_ms, refusal,
        written_step_uuid, written_claim_no, answer, next_retry_at, position
      )
      left join lateral (
        select s.state, s.claim_no, s.next_retry_at
          from tasker.workflow_steps as s
         where s.task_uuid = tasker.task_uuid_of(r.step_uuid)
           and s.step_no = tasker.step_no_of(r.step_uuid)
        offset 0
      ) as s
        on true
     order by r.position
  );
end;
$$;

comment on function tasker.answer_results is
$$Returns the answer to each result of a call, in order: for a written result its outcome, for any other result an answer from the state of its step.$$;
