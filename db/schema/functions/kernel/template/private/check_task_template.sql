create or replace function tasker.check_task_template(p_template jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_lines text[];
  v_hint  text;
begin
  perform tasker.check_depth('template', p_template);
  select array_agg(ltrim(p.path || ': ' || p.problem, ': ') order by p.place),
         (array_agg(p.hint order by p.place))[1]
    into v_lines, v_hint
    from tasker.validate_task_template(p_template) with ordinality as p (path, problem, hint, place);

  if v_lines is not null then
    raise exception using
      errcode = 'TK422',
      message = left(v_lines[1], 2000),
      detail  = coalesce(
        'Also: ' || nullif(array_to_string(v_lines[2 : 10], '; '), ''),
        'There is no other problem so far.'
      ),
      hint    = coalesce(v_hint, 'tasker.validate_task_template(template) lists the problems of a template.');
  end if;
end;
$$;

comment on function tasker.check_task_template is
$$Raises TK422 if a template cannot be registered. The message has the first problem and its place, the detail has the next nine problems.$$;
