create or replace function tasker.set_value(p_step_uuid uuid, p_claim_no integer, p_name text, p_value jsonb)
  returns setof tasker.stream_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_head   tasker.step_streams;
  v_answer tasker.stream_answers;
begin
  if p_claim_no is null then
    perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
  end if;
  perform tasker.check_isolation();
  perform tasker.check_stream_name(p_step_uuid, p_name);
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_value(p_name, p_value);

  v_answer.answer := tasker.hold_stream_step(p_step_uuid, p_claim_no);
  if v_answer.answer <> 'saved' then
    return next v_answer;
    return;
  end if;
  v_head := tasker.open_stream(p_step_uuid, p_claim_no, p_name, true);
  if v_head.last_no > 0 and v_head.value = p_value then
    v_answer.last_no := v_head.last_no;
  else
    update tasker.step_streams as h
       set value      = p_value,
           last_no    = h.last_no + 1,
           bytes      = octet_length(p_value::text),
           claim_no   = p_claim_no,
           attempt    = s.attempts,
           changed_at = tasker.write_clock()
      from tasker.workflow_steps as s
     where h.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and h.step_no = tasker.step_no_of(p_step_uuid)
       and h.name = p_name
       and s.task_uuid = h.task_uuid
       and s.step_no = h.step_no
    returning h.last_no into v_answer.last_no;
    perform tasker.notify_stream(p_step_uuid);
  end if;
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.set_value is
$$Sets a value of a running step. The last value replaces earlier values, and readers see it when the transaction commits. The answer is "saved", with the number of changes so far, "stale" if the step has another claim, or "cancelled". Setting the same value again changes nothing. The value "progress" is an object with the fields "done" (a number from 0 to 1) and "text".

A call with an old claim number changes nothing and is answered "stale". Locks the step, then the row of the value. Raises TK404 if there is no such step, TK413 if the value is larger than the setting "stream_item_bytes" or the step would have more than 16 values and streams, TK422 for an argument that is null or malformed, and if the payloads of the step are encrypted, TK403 if the role is bound to other namespaces, TK409 if the name is the name of a stream, above READ COMMITTED, or if another session keeps the step locked for 5 seconds.$$;

grant execute on function tasker.set_value
  to tasker_worker, tasker_orchestrator, tasker_operator;
