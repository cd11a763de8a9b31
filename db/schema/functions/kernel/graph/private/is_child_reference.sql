create or replace function tasker.is_child_reference(p_value jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select case jsonb_typeof(p_value)
    when 'string' then p_value #>> '{}' like '$%'
    when 'object' then
      p_value ?| '{step,path}'
      and p_value - '{step,path}'::text[] = '{}'
      and jsonb_typeof(coalesce(p_value -> 'step', '""')) = 'string'
      and jsonb_typeof(coalesce(p_value -> 'path', '""')) = 'string'
    else false
  end;
end;

comment on function tasker.is_child_reference is
$$Returns true if a value in the context for a child task is a reference: a path that begins with $, or an object with step, path or both, and no other field.$$;
