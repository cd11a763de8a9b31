create or replace function tasker.note_template_types(p_template tasker.named_tasks, p_types jsonb)
  returns void
  language plpgsql
as $$
declare
  v_differences text;
begin
  if coalesce(p_template.types, '{}') @> coalesce(p_types, '{}') then
    return;
  end if;
  select string_agg(tasker.type_difference(d.value), '; ' order by d.no)
    into v_differences
    from jsonb_array_elements(tasker.type_differences(p_template.types, p_types)) with ordinality as d (value, no);
  if v_differences is not null then
    raise exception using
      errcode = 'TK409',
      message = format(
        'template "%s/%s" version "%s" is registered with other types',
        p_template.configuration ->> 'namespace', p_template.name, p_template.version
      ),
      detail  = left(v_differences, 2000) || '.',
      hint    = 'Register the new types under a new version, or leave the type as it is: what may be left out of a result (omitempty) may be added.';
  end if;

  -- Another program, such as a program in another language, may have named fewer types.
  update tasker.named_tasks as k
     set types = p_types || coalesce(k.types, '{}')
   where k.named_task_uuid = p_template.named_task_uuid;
end;
$$;

comment on function tasker.note_template_types is
$$Adds the types that a program named to the types of a registered template. Raises TK409 if the program has another type for a result or the context than earlier programs. If only one program names a type, there is no difference.$$;
