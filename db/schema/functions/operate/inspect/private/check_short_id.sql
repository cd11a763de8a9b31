create or replace function tasker.check_short_id(p_short_id text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(p_short_id ~* '^[0-9a-f]{4,8}$', false) then
    return lower(p_short_id);
  end if;
  raise exception using
    errcode = 'TK422',
    message = format('%s is not a short id', coalesce('"' || left(p_short_id, 40) || '"', 'null')),
    hint    = 'It is the first 4 to 8 digits of a UUID''s last group, in hex.';
end;
$$;

comment on function tasker.check_short_id is
$$Returns a short id in lower case. Raises TK422 if the text is not 4 to 8 hexadecimal digits.

A short id is the first digits of the last group of a UUID, which is random. The first groups of a UUID have the time,
so they are equal in all UUIDs of a minute.$$;
