create or replace function tasker.task_tenant(p_tenant text, p_tags text[], p_context jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select left(
    case
      when p_tenant like 'tag:%' then (
        select min(substr(u.tag, length(p_tenant) - 3))
          from unnest(p_tags) as u (tag)
         where starts_with(u.tag, substr(p_tenant, 5))
      )
      when p_tenant like 'context:%' then p_context #>> string_to_array(substr(p_tenant, 9), '.')
    end,
    100
  );
end;

comment on function tasker.task_tenant is
$$Returns the tenant of a task. p_tenant is a value of the setting "tenant". If p_tenant names the beginning of a tag,
the tenant is the rest of this tag. If p_tenant names a path, the tenant is the value at this path in the context.
Returns null if the task names no tenant.$$;
