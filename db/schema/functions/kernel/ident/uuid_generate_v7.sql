create or replace function tasker.uuid_generate_v7()
  returns uuid
  language plpgsql
  volatile
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- Round down, because the next millisecond may belong to another partition.
  v_micros bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
begin
  return encode(
    overlay(
      uuid_send(gen_random_uuid())
      placing int8send(((v_micros / 1000) << 16) | x'7000'::bigint | ((v_micros % 1000) * 4096 / 1000))
      from 1 for 8
    ),
    'hex'
  )::uuid;
end;
$$;

comment on function tasker.uuid_generate_v7 is
$$Returns a new UUID of version 7: 48 bits of milliseconds, the microseconds in the twelve bits after the version, 62 random bits. The UUIDs of one session ascend.

This is the default of every key that is not a task's or a step's.$$;

grant execute on function tasker.uuid_generate_v7
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
