create or replace function tasker.encryption_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_encrypted jsonb := p_template -> 'encrypted';
  v_clear     jsonb := coalesce(nullif(v_encrypted -> 'clear', 'null'), '[]');
begin
  if v_encrypted - 'clear' <> '{}' then
    return query select 'encrypted', 'has a field other than "clear"', 'Write {"clear": ["customer"]}, or {} if no field is in the clear.';
    return;
  elsif jsonb_typeof(v_clear) <> 'array' or jsonb_array_length(v_clear) > 20
     or jsonb_path_exists(v_clear, '$[*] ? (@.type() != "string" || @ == "pgtasker" || !(@ like_regex "^[A-Za-z_][A-Za-z0-9_]{0,62}$"))') then
    return query
    select 'encrypted.clear', 'is not a list of at most 20 names of fields of the context',
           'A name is a letter or an underscore, then at most 62 of these and digits: {"clear": ["customer"]}.';
    return;
  end if;

  if jsonb_typeof(p_template -> 'input_schema') = 'object' then
    return query
    select 'input_schema', format('checks the field "%s", which is encrypted', left(f.name, 100)),
           'The database cannot read the field: name it in "encrypted.clear", or check it in the first step.'
      from (
        select jsonb_object_keys(case when jsonb_typeof(p_template #> '{input_schema,properties}') = 'object' then p_template #> '{input_schema,properties}' else '{}' end) as name
        union
        select jsonb_array_elements_text(case when jsonb_typeof(p_template #> '{input_schema,required}') = 'array' then p_template #> '{input_schema,required}' else '[]' end)
      ) as f
     where not v_clear ? f.name;
  end if;
  if p_template -> 'start_on' <> 'null' then
    return query
    select 'start_on', 'starts tasks with a context from the payload of an event, which is not encrypted',
           'Let the receiver of the event create the task with a client that has the key.';
  end if;
  if not tasker.clear_path(p_template #>> '{runs,key}', v_clear) then
    return query
    select 'runs.key', format('"%s" is no field of the context in the clear', left(p_template #>> '{runs,key}', 100)),
           'All tasks would have one key: name the field in "encrypted.clear".';
  end if;
  return query
  select format('attributes[%s]', to_json(left(a.key, 100))), case when c.path is null then 'is a part of a result, which is encrypted'
           else format('"%s" is no field of the context in the clear', left(c.path, 100)) end,
         'The database cannot read encrypted values: name the field of the context in "encrypted.clear".'
    from jsonb_each(case when jsonb_typeof(p_template -> 'attributes') = 'object' then p_template -> 'attributes' end) as a
   cross join lateral (
     select case when jsonb_typeof(a.value) = 'string' then a.value #>> '{}' else a.value ->> 'context' end as path
      where jsonb_typeof(a.value) = 'string'
         or a.value ->> 'context' is not null
     union all
     select null where coalesce(nullif(a.value -> 'results', 'null'), '{}') <> '{}'
   ) as c
   where c.path is null
      or not tasker.clear_path(c.path, v_clear)
   limit 20;
  return query select p.* from tasker.encryption_step_problems(p_template, v_clear) as p;
end;
$$;

comment on function tasker.encryption_problems is
$$Returns the problems of a template whose payloads are encrypted: an invalid list of fields in the clear, and parts for which the database would have to read an encrypted value.$$;
