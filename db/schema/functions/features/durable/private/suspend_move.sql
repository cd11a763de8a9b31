create or replace function tasker.suspend_move(p_step tasker.workflow_steps, p_wait jsonb)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_move tasker.step_moves;
begin
  update tasker.workflow_steps as s
     set wait    = p_wait,
         effects = s.effects | 25::smallint
   where s.task_uuid = p_step.task_uuid
     and s.step_no = p_step.step_no;
  v_move.task_uuid := p_step.task_uuid;
  v_move.step_no := p_step.step_no;
  v_move.from_state := 'in_progress';
  v_move.held_claim_no := p_step.claim_no;
  v_move.event := 'Suspend';
  v_move.to_state := 'suspended';
  v_move.reason := case
    when p_wait ? 'snoozed' then concat_ws(
      ': ', 'snoozed for ' || tasker.span_text((p_wait #>> '{any,0,for}')::numeric), nullif(p_wait ->> 'snoozed', '')
    )
    when p_wait #>> '{diverged,position}' = '0' then format(
      'the result of "%s" does not fit what the handler asks for', p_wait #>> '{diverged,asked}'
    )
    when p_wait #>> '{diverged,asked}' = p_wait #>> '{diverged,expected}' then format(
      'the value that its call %s, "%s", has kept does not fit what the function asks for',
      p_wait #>> '{diverged,position}', p_wait #>> '{diverged,expected}'
    )
    when p_wait ? 'diverged' then format(
      'as its call %s the function asks for "%s", but "%s" is kept', p_wait #>> '{diverged,position}',
      p_wait #>> '{diverged,asked}', p_wait #>> '{diverged,expected}'
    )
    else left(concat_ws(
      ', at most ',
      (
        select format('%s tasks of "%s"', count(*), min(a.value ->> 'name'))
          from jsonb_array_elements(p_wait -> 'tasks') as a (value)
        having count(*) > 0
      ),
      (
        select string_agg(
            case
              when a.value ? 'signal' then format('signal "%s"', a.value ->> 'signal')
              when a.value ? 'event' then format('event "%s"%s', a.value ->> 'event', ', key "' || (a.value ->> 'key') || '"')
              when a.value ? 'for' then tasker.span_text((a.value ->> 'for')::numeric)
              else 'until ' || (a.value ->> 'until')
            end,
            ' or ' order by a.no
          )
          from jsonb_array_elements(p_wait -> 'any') with ordinality as a (value, no)
      ),
      tasker.span_text((p_wait ->> 'timeout')::numeric)
    ), 500)
  end;
  v_move.metadata := jsonb_build_object(
    'wait', p_wait - '{claim_no,since,tasks}'::text[]
  );
  return v_move;
end;
$$;

comment on function tasker.suspend_move is
$$Writes the wait of a running step's function into its row, and returns the move that suspends it. The caller holds the
locks of the task and the step.$$;
