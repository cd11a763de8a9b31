-- down: nothing
create or replace function tasker_pgmq.validate_topic_pattern(pattern text)
  returns boolean
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(pattern, '') = '' then
    raise exception 'pattern cannot be NULL or empty';
  elsif length(pattern) > 255 then
    raise exception 'pattern length cannot exceed 255 characters, got % characters', length(pattern);
  elsif pattern ~ '[^A-Za-z0-9._*#-]' then
    raise exception 'pattern contains invalid characters. Only alphanumeric, dots, hyphens, underscores, *, and # are allowed. Got: %', pattern;
  elsif starts_with(pattern, '.') then
    raise exception 'pattern cannot start with a dot. Got: %', pattern;
  elsif pattern like '%.' then
    raise exception 'pattern cannot end with a dot. Got: %', pattern;
  elsif strpos(pattern, '..') > 0 then
    raise exception 'pattern cannot contain consecutive dots. Got: %', pattern;
  elsif strpos(pattern, '**') > 0 then
    raise exception 'pattern cannot contain consecutive stars (**). Use # for multi-segment matching. Got: %', pattern;
  elsif strpos(pattern, '##') > 0 then
    raise exception 'pattern cannot contain consecutive hashes (##). A single # already matches zero or more segments. Got: %', pattern;
  elsif pattern ~ '[*]#|#[*]' then
    raise exception 'pattern cannot contain adjacent wildcards (*# or #*). Separate wildcards with dots. Got: %', pattern;
  end if;
  return true;
end;
$$;

comment on function tasker_pgmq.validate_topic_pattern(text) is
$$True, or raises what is wrong with a pattern of routing keys: as those, with * for one segment and # for any rest.$$;
