-- down: nothing
create or replace function tasker_pgmq.validate_routing_key(routing_key text)
  returns boolean
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(routing_key, '') = '' then
    raise exception 'routing_key cannot be NULL or empty';
  elsif length(routing_key) > 255 then
    raise exception 'routing_key length cannot exceed 255 characters, got % characters', length(routing_key);
  elsif routing_key ~ '[^A-Za-z0-9._-]' then
    raise exception 'routing_key contains invalid characters. Only alphanumeric, dots, hyphens, and underscores are allowed. Got: %', routing_key;
  elsif starts_with(routing_key, '.') then
    raise exception 'routing_key cannot start with a dot. Got: %', routing_key;
  elsif routing_key like '%.' then
    raise exception 'routing_key cannot end with a dot. Got: %', routing_key;
  elsif strpos(routing_key, '..') > 0 then
    raise exception 'routing_key cannot contain consecutive dots. Got: %', routing_key;
  end if;
  return true;
end;
$$;

comment on function tasker_pgmq.validate_routing_key(text) is
$$True, or raises what is wrong with a routing key: segments of letters, digits, hyphens and underscores between dots, at most 255 characters.$$;
