create or replace function tasklib.id_time(
  p_micros bigint
)
  returns bytea
  language sql
  immutable
begin atomic
  select int8send(((p_micros / 1000) << 16) | x'7000'::bigint | ((p_micros % 1000) * 4096 / 1000));
end;

comment on function tasklib.id_time is
$$Returns the first half of the ids that a call creates: 48 bits with the milliseconds since 1970, four bits with the version 7, and twelve bits with the microseconds. PostgreSQL inlines this function.$$;
