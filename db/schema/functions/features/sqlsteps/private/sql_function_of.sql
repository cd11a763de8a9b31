create or replace function tasker.sql_function_of(p_handler text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case when starts_with(p_handler, 'sql:') then substr(p_handler, 5) end;
end;

comment on function tasker.sql_function_of is
$$Returns the function that a step with this handler calls, such as shop.book_order, or null if a worker runs the step.$$;
