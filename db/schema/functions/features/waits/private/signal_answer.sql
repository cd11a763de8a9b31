create or replace function tasker.signal_answer(p_signal tasker.task_signals)
  returns jsonb
  language sql
  stable
  parallel safe
begin atomic
  select jsonb_build_object(
    'name', (p_signal).name, 'payload', (p_signal).payload, 'sent_at', tasker.utc_text((p_signal).sent_at)
  );
end;

comment on function tasker.signal_answer is
$$Returns the part of a wait's answer that comes from the signal. Every session gets the same text, because check_integrity compares the digest of the answer.$$;
