create or replace function tasklib.notify_ready(p_name text)
  returns void
  language plpgsql
as $$
declare
  v_xid    xid8;
  v_notify boolean;
begin
  -- Take a transaction number, then query sleepers in a later snapshot: a worker that falls asleep after that
  -- snapshot knows the number and waits for this transaction to end.
  v_xid := pg_current_xact_id();
  v_notify := case (select s.value from tasklib.settings as s where s.name = 'notify')
    when 'always' then true
    when 'asleep' then
      current_setting('transaction_isolation') <> 'read committed'
      or exists (
        select
          from tasklib.sleepers as z
         where z.name = p_name
           and z.until > tasklib.clock()
      )
    else false
  end;
  if v_notify then
    perform pg_notify('tasklib_ready', p_name);
  end if;
end;
$$;

comment on function tasklib.notify_ready is
$$Wakes the workers of a name. The setting "notify" decides whether always, only if a worker sleeps, or never. Call it in a separate statement after the transaction's writes.$$;
