create or replace function tasker.keep_due_marks(
  p_namespaces    text[],
  p_orchestrator  boolean,
  p_now           timestamptz,
  p_read_at       timestamptz,
  p_timer         timestamptz,
  p_lease         timestamptz,
  p_ready         timestamptz
)
  returns void
  language plpgsql
as $$
declare
  -- Transactions that are open now may write rows that are dated back to the beginning of the transaction.
  v_now   timestamptz := p_now - interval '250 milliseconds';
  v_lease timestamptz := v_now + tasker.setting_integer('lease_seconds') * interval '1 second';
  v_ok    text;
begin
  v_ok := set_config('tasker.due_marks', concat_ws(
    ' ',
    tasker.due_marks_key(p_namespaces, p_orchestrator),
    extract(epoch from coalesce(p_read_at, p_now)),
    extract(epoch from least(p_timer, v_now)),
    extract(epoch from least(p_lease, v_lease)),
    extract(epoch from least(p_ready, v_now))
  ), false);
end;
$$;

comment on function tasker.keep_due_marks is
$$Keeps three marks in the session: the times from which timers, leases and ready steps have to be read the next time. Each mark is the time of the first existing timer, lease or ready step. If there is none, the mark is now, or for leases the end of a lease that begins now. p_read_at is the time when all rows were last read from the beginning, or null if this call has read them. The marks are a setting of the session, because such a setting lives as long as the session and costs no write. Locks nothing.$$;
