create or replace function tasker.uuid_v7_floor(p_at timestamptz)
  returns uuid
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select rpad(lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
end;

comment on function tasker.uuid_v7_floor is
$$Returns the smallest UUID of a millisecond: the bound of a partition. This UUID itself is not a valid version 7.$$;
