-- down: nothing
create or replace function tasker_pgmq.read_with_poll(
  queue_name text,
  vt integer,
  qty integer,
  max_poll_seconds integer default 5,
  poll_interval_ms integer default 100,
  conditional jsonb default '{}'
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
    return query select r.* from pgmq.read(queue_name, vt, qty, conditional) as r;
    if found then
      return;
    end if;
    perform pg_sleep(greatest(poll_interval_ms, 1) / 1000.0);
  end loop;
end;
$$;

comment on function tasker_pgmq.read_with_poll(text, integer, integer, integer, integer, jsonb) is
$$Calls the function read every poll_interval_ms milliseconds until it returns a message, for at most max_poll_seconds seconds.

Keeps its transaction open all that time, so that vacuum cannot remove rows that were deleted meanwhile. LISTEN and then read is better.$$;
