create or replace function tasker.resume_move(
  p_task_uuid  uuid,
  p_step_no    integer,
  p_value      jsonb,
  p_reason     text,
  p_actor      text
)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_settings tasker.settings_now;
  v_step     record;
  v_move     tasker.step_moves;
begin
  select s.claim_no, s.wait
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no
     for no key update;
  if not v_step.wait ? 'diverged' then
    select c.* into v_settings from tasker.settings_now as c;
    -- Its position was allowed when it began to wait; what was sent to it counts, and stops it at its next call.
    v_settings.kept_results := (v_step.wait ->> 'position')::integer;
    v_settings.kept_bytes := 9223372036854775807;
    perform tasker.write_kept(
      p_task_uuid, p_step_no, v_step.claim_no, (v_step.wait ->> 'position')::integer, v_step.wait ->> 'name',
      (v_step.wait ->> 'occurrence')::integer, p_value, null, v_settings
    );
    perform tasker.note_kept(p_task_uuid, p_step_no, 0);
  end if;
  v_move.task_uuid := p_task_uuid;
  v_move.step_no := p_step_no;
  v_move.from_state := 'suspended';
  v_move.event := 'Resume';
  v_move.to_state := 'enqueued';
  v_move.reason := p_reason;
  v_move.actor := p_actor;
  return v_move;
end;
$$;

comment on function tasker.resume_move(uuid, integer, jsonb, text, text) is
$$The wait of a durable function has ended: keeps what ended it as the result of its call, in this transaction, and returns the move that lets it go on. Keeps nothing for a function that waited because its code differed. Locks the step; the caller holds its task's lock.$$;

revoke all on function tasker.resume_move(uuid, integer, jsonb, text, text) from public;
