create or replace function tasker.blank_steps(p_paths text[])
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps jsonb := '[]';
  v_path  text;
  v_text  text;
  v_one   jsonb;
begin
  if cardinality(p_paths) > 100 then
    raise exception using
      errcode = 'TK422',
      message = format('%s paths are to be blanked; at most 100 can be', cardinality(p_paths)),
      hint    = 'Use $.**.name for every member of that name.';
  end if;
  foreach v_path in array coalesce(p_paths, '{}') loop
    begin
      v_text := case when length(v_path) <= 1000 then v_path::jsonpath::text end;
    exception
      when others then
        v_text := null;
    end;
    -- v_text is the jsonpath as the database prints it, with quoted members.
    select jsonb_agg(
        case
          when m.part[1] like '."%' then 'k:' || (substr(m.part[1], 2)::jsonb #>> '{}')
          when m.part[1] = '.*' then '*'
          when m.part[1] = '.**' then '**'
          when m.part[1] = '[*]' then '[]'
          else 'i:' || btrim(m.part[1], '[]')
        end
        order by m.no
      )
      into v_one
      from regexp_matches(v_text, '(\."(?:[^"\\]|\\.)*"|\.\*\*|\.\*|\[\*\]|\[\d{1,8}\])', 'g') with ordinality as m (part, no)
     where v_text ~ '^\$(\."([^"\\]|\\.)*"|\.\*\*|\.\*|\[\*\]|\[\d{1,8}\])+$';
    if v_one is null then
      raise exception using
        errcode = 'TK422',
        message = case when v_path is null then 'a null path cannot be blanked' else format('"%s" is not a path that can be blanked', left(v_path, 100)) end,
        detail  = 'A path is a jsonpath of members, .*, .**, [*] and [n], of at most 1,000 characters.',
        hint    = 'Write for example $.email, $.**.iban or $.cards[*].number.';
    end if;
    v_steps := v_steps || jsonb_build_array(v_one);
  end loop;
  return v_steps;
end;
$$;

comment on function tasker.blank_steps is
$$Returns for each jsonpath an array of its steps. The step "k:name" is a member of an object, "*" is all members, "[]"
is all elements of an array, "i:3" is one element, and "**" is every level. Raises TK422 for any other jsonpath, and for
more than a hundred jsonpaths.$$;
