create or replace function tasker.calling_function()
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_stack text;
begin
  get diagnostics v_stack = pg_context;
  return tasker.function_on_stack(v_stack);
end;
$$;

comment on function tasker.calling_function is
$$Returns the name of the innermost public function that is running, with its schema unless that is tasker. Null if no such function is running. The callers of that function may have any name, so the search ends there.$$;
