-- down: nothing
create or replace function tasker_pgmq.read_grouped_rr_with_poll(
  queue_name text,
  vt integer,
  qty integer,
  max_poll_seconds integer default 5,
  poll_interval_ms integer default 100
)
  returns setof tasker_pgmq.message_record
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_until timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
begin
  loop
    if clock_timestamp() >= v_until then
      return;
    end if;
    return query select r.* from pgmq.read_grouped_rr(queue_name, vt, qty) as r;
    if found then
      return;
    end if;
    perform pg_sleep(greatest(poll_interval_ms, 1) / 1000.0);
  end loop;
end;
$$;

comment on function tasker_pgmq.read_grouped_rr_with_poll(text, integer, integer, integer, integer) is
$$Reads like read_grouped_rr, again and again until there is a message or the seconds are over. Holds a snapshot of the server for as long.$$;
