create or replace function tasker.deliver_signal(
  p_task_uuid        uuid,
  p_name             text,
  p_payload          jsonb,
  p_idempotency_key  text,
  p_created          boolean
)
  returns tasker.signal_answers
  language plpgsql
as $$
declare
  v_task   tasker.task_facts := tasker.lock_task_facts(p_task_uuid);
  v_signal tasker.task_signals;
  v_answer tasker.signal_answers;
  v_taker  integer;
begin
  if v_task.task_uuid is null then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  v_answer.task_uuid := p_task_uuid;
  v_answer.created := p_created;

  -- Look up the key even if the task has ended, because a webhook may repeat a signal that ended its task long ago.
  select g.*
    into v_signal
    from tasker.task_signals as g
   where g.task_uuid = p_task_uuid
     and g.idempotency_key = p_idempotency_key;
  if found then
    v_answer.signal_no := v_signal.signal_no;
    v_answer.answer := 'repeated';
    v_answer.step_uuid := tasker.step_uuid(p_task_uuid, v_signal.step_no);
    return v_answer;
  end if;
  if v_task.state in ('complete', 'error', 'cancelled', 'resolved_manually') then
    v_answer.signal_no := 0;
    v_answer.answer := 'ended';
    return v_answer;
  end if;

  v_signal.task_uuid := p_task_uuid;
  v_signal.signal_no := coalesce((
    select g.signal_no
      from tasker.task_signals as g
     where g.task_uuid = p_task_uuid
     order by g.signal_no desc
     limit 1
  ), 0) + 1;
  v_signal.name := p_name;
  v_signal.payload := p_payload;
  v_signal.idempotency_key := p_idempotency_key;
  v_signal.sent_by := tasker.caller_name();
  v_signal.sent_at := tasker.write_clock();
  if v_signal.signal_no > 65535 then
    raise exception using
      errcode = 'TK409',
      message = format('task %s has 65,535 signals already', p_task_uuid),
      hint    = 'A task is not a queue: create a task for each message.';
  end if;
  perform tasker.judge_payload(p_task_uuid, v_task.named_task_uuid, p_name, p_payload);
  v_taker := tasker.find_taker(v_signal);
  insert into tasker.task_signals select (v_signal).*;

  v_answer.signal_no := v_signal.signal_no;
  v_answer.answer := case when v_taker is null then 'kept'::tasker.delivery else 'delivered' end;
  if v_taker is not null then
    v_answer.step_uuid := tasker.step_uuid(p_task_uuid, v_taker);
    perform tasker.apply_move(tasker.consume_signal(v_signal, v_taker), v_task);
  end if;
  return v_answer;
end;
$$;

comment on function tasker.deliver_signal is
$$Writes a signal to a task. If a step waits for the signal, ends the wait and applies all moves that follow. A task that has ended takes no signal. Waits for the task's lock; the order of the locks is the order of the signals.$$;
