create or replace function tasker.check_filter(p_filter jsonb)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  if jsonb_typeof(p_filter) <> 'object' then
    v_problem := format('It is a JSON %s.', jsonb_typeof(p_filter));
  else
    select case
        when f.key not in ('namespaces', 'templates', 'kinds', 'events', 'to_states') then format('"%s" is not known.', left(f.key, 100))
        when jsonb_typeof(f.value) <> 'array' then format('"%s" is not an array.', f.key)
        when jsonb_array_length(f.value) not between 1 and 100 then format('"%s" has %s elements.', f.key, jsonb_array_length(f.value))
        else (
          select format('"%s" has the element %s.', f.key, left(e.value::text, 100))
            from jsonb_array_elements(f.value) as e (value)
           where jsonb_typeof(e.value) <> 'string'
              or length(e.value #>> '{}') not between 1 and 200
              or f.key = 'kinds' and e.value #>> '{}' not in ('task', 'step')
           limit 1
        )
      end
      into v_problem
      from jsonb_each(p_filter) as f (key, value)
     order by 1 nulls last
     limit 1;
  end if;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = 'the filter of a subscription is malformed',
      detail  = v_problem,
      hint    = 'It is an object of arrays of strings, each with 1 to 100 elements: namespaces, templates, kinds (task, step), events, to_states.';
  end if;
end;
$$;

comment on function tasker.check_filter is
$$Raises TK422 if p_filter is not a valid filter of events.$$;
