create or replace function tasker.mint_task_uuids(p_count integer, p_range_ends_at timestamptz)
  returns uuid[]
  language plpgsql
  volatile
as $$
declare
  v_last   bigint := floor(extract(epoch from p_range_ends_at) * 1000000) - 1;
  v_at     double precision := extract(epoch from tasker.clock() - statement_timestamp());
  v_micros bigint;
  v_uuids  uuid[];
begin
  if v_last is null then
    raise exception using
      errcode = 'TK507',
      message = 'there is no partition for a new task',
      hint    = 'Call tasker.ensure_partitions() as tasker_operator.';
  end if;

  for i in 1 .. p_count loop
    -- The tasks of one statement share its clock; the time elapsed since then keeps them in order.
    v_micros := floor((date_part('epoch', clock_timestamp()) + v_at) * 1000000);
    -- Maintenance is behind: the newest range takes the task in its last millisecond.
    if v_micros > v_last then
      v_micros := v_last - v_last % 1000 + v_micros % 1000;
    end if;
    v_uuids[i] := tasker.new_task_uuid(v_micros);
  end loop;
  return v_uuids;
end;
$$;

comment on function tasker.mint_task_uuids is
$$Returns UUIDs for new tasks: version 7, the last 16 bits zero, before the end of the newest range that has begun, in ascending order.

If no range covers the current time, they lie in the last millisecond of the newest range before, so that work continues without maintenance. Raises TK507 if there is no such range.$$;
