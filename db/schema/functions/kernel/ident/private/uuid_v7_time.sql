create or replace function tasker.uuid_v7_time(p_uuid uuid)
  returns timestamptz
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select to_timestamp(('x' || translate(left(p_uuid::text, 13), '-', ''))::bit(48)::bigint / 1000.0);
end;

comment on function tasker.uuid_v7_time is
$$Returns the time in a UUID of version 7, to the millisecond. For other versions the result has no meaning.$$;
