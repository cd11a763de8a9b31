create or replace function tasker.mint_task_uuids(p_count integer)
  returns uuid[]
  language plpgsql
  volatile
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_at     timestamptz := tasker.clock();
  v_micros bigint;
  v_last   bigint;
  v_ends   timestamptz;
  v_uuids  uuid[] := array_fill(null::uuid, array[p_count]);
begin
  select r.ends_at
    into v_ends
    from tasker.partition_ranges as r
   where r.starts_at <= v_at
   order by r.starts_at desc
   limit 1;

  if v_ends is null then
    raise exception using
      errcode = 'TK507',
      message = 'there is no partition for a new task',
      hint    = 'Call tasker.ensure_partitions() as tasker_operator.';
  end if;

  v_last := floor(extract(epoch from v_ends) * 1000000) - 1;
  for i in 1 .. p_count loop
    -- The tasks of one statement share its clock; the time that it has taken so far keeps them in order.
    v_micros := floor(extract(epoch from v_at + (clock_timestamp() - statement_timestamp())) * 1000000);
    -- Housekeeping is behind: the newest range takes the task in its last millisecond, work goes on.
    if v_micros > v_last then
      v_micros := v_last - v_last % 1000 + v_micros % 1000;
    end if;

    v_uuids[i] := encode(
      overlay(
        overlay(
          uuid_send(gen_random_uuid())
          placing int8send(((v_micros / 1000) << 16) | x'7000'::bigint | ((v_micros % 1000) * 4096 / 1000))
          from 1 for 8
        )
        placing '\x0000' from 15 for 2
      ),
      'hex'
    )::uuid;
  end loop;
  return v_uuids;
end;
$$;

comment on function tasker.mint_task_uuids(integer) is
$$UUIDs for new tasks: version 7, the last 16 bits zero, inside a range that exists, in ascending order.

If the range for now is missing they lie in the last millisecond of the newest one before now, so that no work stops because maintenance did not run. Raises TK507 if there is no such range.$$;

revoke all on function tasker.mint_task_uuids(integer) from public;
