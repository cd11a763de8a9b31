create or replace function tasker.condition_error(p_condition text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  c_strings constant text := E'"([^"\\\\]|\\\\.)*"';
  v_bare   text;
  v_depth  integer := 0;
  v_filter integer;
  v_place  integer;
  v_regex  text;
begin
  if length(p_condition) > 4000 then
    return 'It is longer than 4,000 characters.';
  end if;
  v_regex := tasker.regex_error(p_condition);
  if v_regex is not null then
    return v_regex;
  end if;
  -- Remove string literals, keys and names, so that text in them is not mistaken for syntax.
  if regexp_replace(p_condition, c_strings, '""', 'g') ~* '[0-9.]e[+-]?[0-9]{4}' then
    return 'It has a number of more than a thousand digits.';
  end if;
  v_bare := p_condition::jsonpath::text;
  if length(v_bare) > 8000 then
    return 'It is longer than 8,000 characters when its numbers are written out.';
  end if;
  v_bare := regexp_replace(v_bare, c_strings, '""', 'g');
  if v_bare like '%$""%' then
    return 'It names a variable; conditions have none.';
  elsif v_bare ~ '\.(datetime|date|time|time_tz|timestamp|timestamp_tz|decimal)\(' then
    return format('It uses %s(), which may fail for other results.', substring(v_bare from '\.(datetime|date|time|time_tz|timestamp|timestamp_tz|decimal)\('));
  elsif v_bare like '%.**%.**%' then
    return 'It uses .** twice, which may exhaust memory.';
  elsif v_bare ~ '\.\*\*(?!\{[0-9]+( to [0-9]+)?\})' then
    return 'It uses .** without a bound, such as .**{0 to 5}.';
  elsif v_bare ~ '\[[^]]*,' then
    return 'It lists subscripts, such as [0,1]. Each further list would multiply what is read.';
  elsif regexp_replace(v_bare, '\[(\*|(last|to|[0-9 +-])+)\]', '', 'g') like '%[%' then
    return 'It computes a subscript. A subscript is *, a number or last, such as [0], [last - 1] or [0 to 5].';
  elsif v_bare like '%.**%' and v_bare like '%.keyvalue(%' then
    return 'It uses .keyvalue() beside .**, which may exhaust memory.';
  elsif length(v_bare) - length(translate(v_bare, '$@', '')) > 40 then
    return 'It has more than 40 paths.';
  end if;

  -- Each path may be evaluated only once. Comparing two paths, or evaluating a path again for each element of a filter,
  -- takes quadratic time, and nested filters take more.
  if exists (
    select
      from regexp_matches(v_bare, '([^&|!(]*) (?:==|!=|<|>|<=|>=) ([^&|)]*)', 'g') as m (sides)
     -- A side that ends in a bracket is a method of a path, or is computed from a path.
     where m.sides[1] ~ '[$@)]'
       and m.sides[2] ~ '[$@]'
  ) then
    return 'It compares two paths; one side of a comparison must be a constant.';
  end if;
  for v_place in 1..coalesce(length(v_bare), 0) loop
    case substr(v_bare, v_place, 1)
      when '(' then
        v_depth := v_depth + 1;
      when ')' then
        v_depth := v_depth - 1;
        if v_depth = v_filter then
          v_filter := null;
        end if;
      when '?' then
        if v_filter is not null then
          return 'It has a filter within a filter.';
        end if;
        v_filter := v_depth;
      when '$' then
        if v_filter is not null then
          return 'A path in a filter begins with $; in a filter paths begin with @.';
        end if;
      else
        null;
    end case;
  end loop;
  return null;
exception when syntax_error or invalid_text_representation or invalid_regular_expression
  or datatype_mismatch or feature_not_supported or numeric_value_out_of_range or statement_too_complex
  or untranslatable_character or invalid_escape_sequence then
  return sqlerrm;
end;
$$;

comment on function tasker.condition_error is
$$Returns the reason why a text cannot be the condition of an edge, or null if the text can be a condition or is null.

The function refuses conditions that can raise an error when evaluated (variables, decimal(), methods of times, a second .**), because a condition must be true or false for any results that a worker sends. It also refuses conditions that may read the results more than once for each path: comparisons of two paths, filters in filters, the whole results in a filter, lists of subscripts and computed subscripts, .** without a bound or beside .keyvalue(), numbers of more than a thousand digits, regular expressions that are costly to compile (tasker.regex_error), and texts of more than 4,000 characters.$$;
