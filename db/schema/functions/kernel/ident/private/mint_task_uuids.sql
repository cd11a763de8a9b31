create or replace function tasker.mint_task_uuids(p_count integer, p_range_ends_at timestamptz)
  returns uuid[]
  language plpgsql
  volatile
as $$
declare
  v_last   bigint := floor(extract(epoch from p_range_ends_at) * 1000000) - 1;
  -- The tasks of one statement share the statement's clock. The time elapsed since then keeps the tasks of several
  -- calls in order.
  v_first  bigint := floor(
    (date_part('epoch', clock_timestamp()) + date_part('epoch', tasker.clock() - statement_timestamp())) * 1000000
  );
  v_seed   bigint := uuid_hash_extended(gen_random_uuid(), 0);
begin
  if v_last is null then
    raise exception using
      errcode = 'TK507',
      message = 'there is no partition for a new task',
      hint    = 'Call tasker.ensure_partitions() as tasker_operator.';
  end if;

  -- Each task gets another microsecond, because creating a task takes much longer than that. The random bits are hashes
  -- under one random seed, because a random UUID for each task would cost as much as an insertion. If maintenance is
  -- late, the newest range takes the tasks in its last millisecond, so that their times repeat.
  return array(
    select tasker.new_task_uuid(
        case when v_first + i > v_last then v_last - v_last % 1000 + (v_first + i) % 1000 else v_first + i end,
        hashint8extended(i, v_seed)
      )
      from generate_series(0, p_count - 1) as i
  );
end;
$$;

comment on function tasker.mint_task_uuids is
$$Returns UUIDs for new tasks, in ascending order. They are of version 7, their last 16 bits are zero, and their times lie before the end of the newest range that has begun.

If no range covers the current time, the times of the UUIDs lie in the last millisecond of the newest past range, so that work continues without maintenance. Raises TK507 if there is no such range.$$;
