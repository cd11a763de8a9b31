create or replace function tasker.roll_up()
  returns timestamptz
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_early   boolean := pg_current_xact_id_if_assigned() is not null;
  v_state   tasker.rollup_state;
  v_settled timestamptz;
begin
  -- One session rolls up at a time. A second session waits and starts where the first session ended.
  perform 1 from tasker.rollup_state as s for update;
  select s.* into strict v_state from tasker.rollup_state as s;

  -- When all transactions that were open at the mark have ended, no transaction can write rows from before the mark. Do
  -- not wait for a transaction that stays open for more than an hour.
  v_settled := v_state.settled_until;
  if pg_snapshot_xmin(pg_current_snapshot()) > v_state.mark_xid or v_state.mark_at < v_now - interval '1 hour' then
    v_settled := greatest(v_settled, date_trunc('minute', v_state.mark_at - interval '5 seconds'));
    v_state.mark_at := null;
  end if;
  -- The mark is the id of this transaction, so every earlier writer has a lower id. If this transaction got its id
  -- before this call, the mark is useless, because other transactions may have got higher ids in between.
  if v_state.mark_at is null or v_state.mark_xid is null and not v_early then
    v_state.mark_at := v_now;
    v_state.mark_xid := case when not v_early then pg_current_xact_id() end;
  end if;

  perform tasker.summarize_new_pages();
  delete from tasker.task_totals as o where not o.settled;
  delete from tasker.step_totals as o where not o.settled;
  if v_settled > v_state.settled_until then
    perform tasker.count_ended_tasks(v_state.settled_until, v_settled, true);
    perform tasker.count_ended_steps(v_state.settled_until, v_settled, true);
  end if;
  perform tasker.count_ended_tasks(v_settled, 'infinity', false);
  perform tasker.count_ended_steps(v_settled, 'infinity', false);
  perform tasker.roll_up_minutes(v_state.settled_until);
  perform tasker.count_results(v_state.settled_until, v_settled);

  update tasker.rollup_state as s
     set settled_until   = v_settled,
         rolled_up_until = v_now,
         mark_at         = v_state.mark_at,
         mark_xid        = v_state.mark_xid;
  return v_now;
end;
$$;

comment on function tasker.roll_up is
$$Updates totals and rollups and returns how far they reach. Reads the logs since the last call, and the last minute or
two before it.

Locks the row of rollup_state. The work of a transaction is missing until tasker.rebuild_analytics() if the transaction
commits later than an hour after its first write, or if it wrote rows for a minute that was already settled.$$;
