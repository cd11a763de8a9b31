create or replace function tasklib.task_id(
  p_time      bytea,
  p_position  bigint
)
  returns uuid
  language sql
  volatile
begin atomic
  -- The second half of the id: two bits with the variant, then the position in the call, then 42 random bits.
  select encode(p_time || int8send((-9223372036854775808) | (p_position << 42) | (random() * 4398046511103)::bigint), 'hex')::uuid;
end;

comment on function tasklib.task_id is
$$Returns the id of a new task: a UUID of version 7 that begins with the bytes of id_time. The order of ids is the order of submission, even within one call. PostgreSQL inlines this function.$$;
