create or replace function tasker.open_writers(p_writers bigint[] default null)
  returns bigint[]
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_own      bigint;
  v_snapshot pg_snapshot;
begin
  perform tasker.check_isolation();
  if p_writers is null then
    -- Take a transaction number first. It is higher than the number of every transaction that may have queried before
    -- the mark was committed.
    v_own := pg_current_xact_id()::text::bigint;
    select pg_current_snapshot() into v_snapshot;
    -- A snapshot lists the running transactions below its xmax. The transactions from xmax up to our number are also
    -- running, because xmax follows the newest transaction that has ended.
    return array(
      select x.xid::text::bigint
        from pg_snapshot_xip(v_snapshot) as x (xid)
       where x.xid::text::bigint < v_own
      union all
      select g.xid
        from generate_series(pg_snapshot_xmax(v_snapshot)::text::bigint, v_own - 1) as g (xid)
    );
  end if;

  select pg_current_snapshot() into v_snapshot;
  return array(
    select u.xid
      from unnest(p_writers) as u (xid)
     where not pg_visible_in_snapshot(u.xid::text::xid8, v_snapshot)
  );
end;
$$;

comment on function tasker.open_writers is
$$Returns the transactions that were running when the caller fell asleep. These transactions may have queried sleepers
before the caller's mark was committed, and so end without a notification. Given the answer of an earlier call, returns
the transactions of this answer that are still running. A client queries again when one of these transactions has ended.

Takes a transaction number. Call this function in its own transaction, after the transaction of mark_sleeping. Locks
nothing. Raises TK409 above READ COMMITTED.$$;

grant execute on function tasker.open_writers
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
