create or replace function tasker.notify_task_events(p_moves tasker.task_transition_log[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_xid    xid8;
  v_notify boolean;
begin
  if p_moves is null then
    return;
  end if;
  -- First take a transaction number, then query in a later snapshot, as in notify_steps_ready.
  v_xid := pg_current_xact_id();
  v_notify := (select e.wanted from tasker.task_events_wanted() as e (wanted));
  if v_notify then
    perform tasker.send_task_events(p_moves);
  end if;
end;
$$;

comment on function tasker.notify_task_events is
$$Notifies the listeners on channel tasker_task_events of transitions of tasks. The namespace or the setting "notify" decides whether it notifies always, only while a client watches, or never. Call this function in a statement of its own after the transaction's writes.$$;
