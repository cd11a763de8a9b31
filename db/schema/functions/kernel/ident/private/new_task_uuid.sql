create or replace function tasker.new_task_uuid(p_micros bigint, p_random bigint)
  returns uuid
  language sql
  immutable
begin atomic
  select encode(
    int8send(((p_micros / 1000) << 16) | x'7000'::bigint | ((p_micros % 1000) * 4096 / 1000))
    || int8send(p_random & x'3fffffffffff0000'::bigint | x'8000000000000000'::bigint),
    'hex'
  )::uuid;
end;

comment on function tasker.new_task_uuid is
$$Returns a UUID of version 7 for a new task from a time in microseconds since 1970, the variant and 46 random bits. The last 16 bits are zero. The function is inlined.$$;
