create or replace function tasker.types_digest(p_types jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select left(encode(sha256(convert_to(p_types::text, 'UTF8')), 'hex'), 12);
end;

comment on function tasker.types_digest is
$$Returns the digest of the types that programs registered for a version of a template, as twelve hexadecimal digits.
Returns null if no program registered types. Two programs with different types have different digests.$$;
