create or replace function tasker.check_bound(p_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.is_scoped() or exists (select from tasker.role_bindings) then
    perform tasker.check_bound_steps(array[p_uuid]);
  end if;
end;
$$;

comment on function tasker.check_bound is
$$Raises TK403 if the caller is not bound to the namespace of this task, or of this step's task.$$;
