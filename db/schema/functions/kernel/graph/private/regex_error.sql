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
  -- Without comments, and with a blank after each text in quotes.
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
$$Returns why PostgreSQL is not to compile the regular expressions of a jsonpath for a caller, or null. This is the one rule for all paths that callers write. A cast to jsonpath compiles these expressions, so this check comes before the cast. Paths that were stored before the rule are judged by it when they are used.$$;
