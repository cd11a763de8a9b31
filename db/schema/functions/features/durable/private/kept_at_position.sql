create or replace function tasker.kept_at_position(
  p_task_uuid   uuid,
  p_step_no     integer,
  p_position    integer,
  p_name        text,
  p_occurrence  integer
)
  returns tasker.kept_answers
  language plpgsql
  stable
as $$
declare
  v_answer tasker.kept_answers;
begin
  select k.kept_no, k.name, k.occurrence, case when k.error is null then k.value end, k.error
    into v_answer.position, v_answer.name, v_answer.occurrence, v_answer.value, v_answer.error
    from tasker.kept_results as k
   where k.task_uuid = p_task_uuid
     and k.step_no = p_step_no
     and k.kept_no = p_position;
  if found then
    v_answer.answer := case
      when v_answer.name = p_name and v_answer.occurrence = p_occurrence then 'known'::tasker.call_answer
      else 'diverged'
    end;
  end if;
  return v_answer;
end;
$$;

comment on function tasker.kept_at_position is
$$Returns the kept result of a function at a position. The answer is "known" if the result has this name and occurrence, "diverged" if it has others, and null if no result is kept at this position.$$;
