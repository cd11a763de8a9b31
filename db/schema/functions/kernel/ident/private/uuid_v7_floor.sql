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
$$Returns the lower bound of all UUIDs of a millisecond, for the bound of a partition. This bound itself is not a valid UUID of version 7.$$;
