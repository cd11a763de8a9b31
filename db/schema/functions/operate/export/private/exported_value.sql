create or replace function tasker.exported_value(p_name text, p_value jsonb, p_payloads boolean, p_blank jsonb)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_path jsonb;
begin
  if p_value is null or not p_payloads then
    return '{}';
  end if;
  for v_path in select p.value from jsonb_array_elements(p_blank) as p (value) loop
    p_value := tasker.blank_path(p_value, array(select jsonb_array_elements_text(v_path)));
  end loop;
  return jsonb_build_object(p_name, p_value);
end;
$$;

comment on function tasker.exported_value is
$$Returns an object with a payload under its name. The payload has null in the places that p_blank finds
(tasker.blank_steps). Returns an empty object if there is no payload, or if p_payloads is false.$$;
