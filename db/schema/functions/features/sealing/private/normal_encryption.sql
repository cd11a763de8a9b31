create or replace function tasker.normal_encryption(p_encrypted jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select jsonb_build_object('clear', coalesce(jsonb_agg(distinct c.value order by c.value), '[]'))
    from jsonb_array_elements(coalesce(nullif(p_encrypted -> 'clear', 'null'), '[]')) as c (value);
end;

comment on function tasker.normal_encryption is
$$Returns a valid field "encrypted" of a template in normal form: an object with the sorted names of the fields in the clear.$$;
