create or replace function tasker.uuid_of_digest(p_digest bytea)
  returns uuid
  language sql
  immutable
  strict
  parallel safe
begin atomic
  select overlay(
    overlay(encode(substr(p_digest, 1, 16), 'hex') placing '8' from 13 for 1)
    placing to_hex(get_byte(p_digest, 8) >> 4 & 3 | 8) from 17 for 1
  )::uuid;
end;

comment on function tasker.uuid_of_digest(bytea) is
$$The UUID of version 8 that has the first bits of a digest: tasker.transition_uuid, for who has computed the digest once. Inlined.$$;

revoke all on function tasker.uuid_of_digest(bytea) from public;
