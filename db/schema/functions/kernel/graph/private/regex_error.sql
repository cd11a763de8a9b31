create or replace function tasker.regex_error(p_path text)
  returns text
  language plpgsql
  immutable
  strict
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_path     text;
  v_patterns text[];
begin
  if p_path !~* E'like_regex|\\\\' then
    return null;
  end if;
  -- Remove comments, and write a blank after each text in quotes.
  v_path := regexp_replace(p_path, E'("(?:[^"\\\\]|\\\\.)*")|/\\*(?:[^*]|\\*+[^*/])*\\*+/', E'\\1 ', 'g');
  if regexp_replace(v_path, E'"(?:[^"\\\\]|\\\\.)*"', '', 'g') ~ E'\\\\' then
    return 'It has a backslash outside of quotes.'; -- it could spell an operator
  end if;
  v_patterns := array(
    select (m.part[2]::jsonpath::text)::jsonb #>> '{}'
      from regexp_matches(v_path, E'([^"]*)("(?:[^"\\\\]|\\\\.)*")', 'g') as m (part)
     where m.part[1] ~* E'like_regex\\s*$'
  );
  if cardinality(v_patterns) > 2 then
    return 'It has more than 2 regular expressions.';
  end if;
  return coalesce(tasker.pattern_error(v_patterns[1]), tasker.pattern_error(v_patterns[2]));
end;
$$;

comment on function tasker.regex_error is
$$Returns the reason why PostgreSQL should not compile the regular expressions of a caller's jsonpath, or null if there is none. All paths that callers write are checked by this rule. A cast to jsonpath compiles the regular expressions, so the check comes before the cast. Paths that were stored before this rule existed are checked when they are used.$$;
