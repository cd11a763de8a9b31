create or replace function tasklib.notify_ready(p_name text)
  returns void
  language plpgsql
as $$
declare
  v_xid    xid8;
  v_notify boolean;
begin
  -- First take a transaction number, then query tasklib.sleepers in a later snapshot. A worker that falls asleep after this
  -- snapshot gets the number from open_writers, and waits until this transaction has ended.
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
$$Notifies the workers of a name that a task may be ready. The setting "notify" decides whether this happens always, only if a worker of the name sleeps, or never. Call this function in a separate statement after the statements that write tasks.$$;
