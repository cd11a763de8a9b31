create or replace function tasker.hold_stream_step(p_step_uuid uuid, p_claim_no integer)
  returns tasker.lease_answer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_step record;
begin
  -- The lock keeps the step running until the stream's first row is committed. So an erasure, which follows the end of
  -- the step, sees the row.
  select s.state, s.claim_no, s.effects
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  if v_step.effects & 8192 <> 0 then
    raise exception using
      errcode = 'TK422',
      message = format('the payloads of step %s are encrypted, and values and streams are stored in the clear', p_step_uuid),
      detail  = 'The template of its task says that payloads are encrypted before they leave the client.',
      hint    = 'Keep such data in a result or a checkpoint, which are encrypted.';
  end if;
  return case
    when v_step.state = 'cancelled' then 'cancelled'
    when v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then 'stale'
    else 'saved'
  end::tasker.lease_answer;
end;
$$;

comment on function tasker.hold_stream_step is
$$Locks a step. Returns "saved" if the step has this claim, otherwise "stale" or "cancelled". Raises TK404 if there is no such step, TK422 if its payloads are encrypted.$$;
