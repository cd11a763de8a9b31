create or replace function tasker.pattern_error(p_pattern text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_token    text;
  v_sizes    integer[] := '{0}';     -- sizes of the open groups, the outermost first
  v_anchored boolean[] := '{false}'; -- whether the open groups contain an anchor
  v_depth    integer   := 1;
  v_anchors  integer   := 0;
  v_size     integer;                -- the size of the part that a quantifier would repeat; null if there is no such part
  v_is_fixed boolean;                -- whether this part is or contains an anchor
  v_more     integer;
begin
  if length(p_pattern) > 200 then
    return 'It has a regular expression of more than 200 characters.';
  elsif p_pattern ~ E'\\\\[1-9c]' then
    return 'It has a regular expression with a back reference or a control character.';
  end if;

  for v_token in
    select m.token[1]
      from regexp_matches(
        p_pattern, E'(\\\\.|\\[\\^?(?:[^][\\\\]|\\\\.|\\[:[a-z]+:\\])+\\]|\\((?:\\?:)?|\\{[0-9]+(?:,[0-9]*)?\\}|.)', 'g'
      ) as m (token)
  loop
    if v_token ~ E'^([*+?]|\\{.+)$' then
      -- At the beginning of a group, a quantifier character would begin a group of another kind: options, a comment, a
      -- lookahead or a lookbehind.
      if v_size is null then
        return 'It has a regular expression with a group that begins with a quantifier; groups are (…) and (?:…).';
      elsif v_is_fixed then
        return 'It has a regular expression that repeats an anchor, such as ^ or $.';
      end if;
      -- A bound copies the part that it repeats. A part that may be absent costs more than its length.
      v_more := case
        when left(v_token, 1) <> '{' then 2
        when v_token ~ '[0-9]{4}' then 1000
        else v_size * greatest(split_part(trim(v_token, '{}'), ',', 1), '0' || split_part(trim(v_token, '{}'), ',', 2))::integer
      end;
    elsif v_token in ('(', '(?:') then
      v_depth := v_depth + 1;
      v_sizes[v_depth] := 0;
      v_anchored[v_depth] := false;
      v_size := null;
      continue;
    elsif v_token = ')' and v_depth = 1 then
      return 'It has a regular expression with a bracket too much.';
    elsif v_token = ')' then
      v_size := v_sizes[v_depth];
      v_is_fixed := v_anchored[v_depth];
      v_depth := v_depth - 1;
      v_anchored[v_depth] := v_anchored[v_depth] or v_is_fixed;
      v_more := v_size + 1;
      v_size := 0;
    else
      v_is_fixed := v_token in ('^', '$') or v_token ~ E'^\\\\[AZmMyY]';
      v_anchors := v_anchors + v_is_fixed::integer;
      v_anchored[v_depth] := v_anchored[v_depth] or v_is_fixed;
      v_size := 0;
      v_more := case
        when v_token = '[' then 1000
        -- If case is ignored, each letter of a range counts as a range.
        when v_token ~ '^.+-' and v_token ~ E'\\\\[xuU0]' then 1000
        when v_token ~ '^.+-' then 1 + (length(v_token) - length(replace(v_token, '-', ''))) * (
          select max(ascii(u.letter)) / 200 from string_to_table(v_token, null) as u (letter)
        )
        else 1
      end;
    end if;
    v_size := v_size + v_more;
    v_sizes[v_depth] := v_sizes[v_depth] + v_more;
    if v_sizes[v_depth] > 250 or v_depth > 10 or v_anchors > 8 then
      return 'It has a regular expression that is too costly: its repetitions, spelled out, may have 250 characters, 10 levels of groups and 8 anchors.';
    end if;
    if v_token = '|' then
      v_size := null;
    end if;
  end loop;
  return null;
end;
$$;

comment on function tasker.pattern_error is
$$Returns the reason why PostgreSQL should not compile a caller's regular expression, or null if there is none. The time to compile depends on the pattern: bounds copy the part that they repeat, anchors within repetitions are combined, and a letter becomes a range if case is ignored. A lookahead, a lookbehind or a back reference makes matching slow. All other patterns compile in milliseconds and match in one pass through the text.

The function knows a part of the language of regular expressions and refuses all other constructs: groups of other kinds, embedded options, collating elements, a bracket that begins with "]".$$;
