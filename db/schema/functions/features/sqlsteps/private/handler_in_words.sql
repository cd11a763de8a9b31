create or replace function tasker.handler_in_words(p_handler text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce('SQL function ' || tasker.sql_function_of(p_handler), 'Handler ' || p_handler);
end;

comment on function tasker.handler_in_words is
$$Returns the beginning of a sentence that names what runs the steps with this handler, for example "Handler ship" or "SQL function shop.reserve".$$;
