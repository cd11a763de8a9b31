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
$$Returns the first half of the ids of a call: 48 bits of milliseconds since 1970, version 7, and the microseconds in twelve bits. The function is inlined.$$;
