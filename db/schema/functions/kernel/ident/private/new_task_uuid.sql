create or replace function tasker.new_task_uuid(p_micros bigint)
  returns uuid
  language sql
  volatile
begin atomic
  select encode(
    overlay(
      overlay(
        uuid_send(gen_random_uuid())
        placing int8send(((p_micros / 1000) << 16) | x'7000'::bigint | ((p_micros % 1000) * 4096 / 1000))
        from 1 for 8
      )
      placing E'\\x0000' from 15 for 2
    ),
    'hex'
  )::uuid;
end;

comment on function tasker.new_task_uuid is
$$Returns a UUID for a new task of a time, in microseconds since 1970: version 7, the last 16 bits zero. Inlined.$$;
