create or replace function tasklib.task_id(
  p_time      bytea,
  p_position  bigint
)
  returns uuid
  language sql
  volatile
begin atomic
  -- The variant 2, the place in the call, and 42 random bits.
  select encode(p_time || int8send((-9223372036854775808) | (p_position << 42) | (random() * 4398046511103)::bigint), 'hex')::uuid;
end;

comment on function tasklib.task_id is
$$Returns a new task's id, a UUID of version 7 that begins with the bytes of id_time. Ids are in the order of submission, even within one call. The function is inlined.$$;
