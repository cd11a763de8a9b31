create or replace function tasker.feed_snapshot()
  returns pg_snapshot
  language plpgsql
as $$
declare
  v_own      xid8 := pg_current_xact_id_if_assigned();
  v_snapshot pg_snapshot;
begin
  select pg_current_snapshot() into v_snapshot;
  if v_own is null or v_own >= pg_snapshot_xmax(v_snapshot) then
    return v_snapshot;
  end if;
  return concat(
    least(v_own, pg_snapshot_xmin(v_snapshot)), ':', pg_snapshot_xmax(v_snapshot), ':',
    (select string_agg(x.xid::text, ',' order by x.xid) from (select v_own union select pg_snapshot_xip(v_snapshot)) as x (xid))
  )::pg_snapshot;
end;
$$;

comment on function tasker.feed_snapshot is
$$Returns a snapshot of the transactions that have ended, which becomes the end of a window of the feed. A plain snapshot does not list the caller's own transaction as running, although that transaction may still write. The returned snapshot lists it. The caller must be volatile, so that its later queries see at least these transactions.$$;
