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
$$Returns the name of the innermost public function that is running, with its schema unless the schema is tasker. Returns null if no such function is running. The search ends at that function, because its callers may have any name.$$;
