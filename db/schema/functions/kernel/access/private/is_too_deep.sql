create or replace function tasker.is_too_deep(p_value jsonb)
  returns boolean
  language sql
  stable
  parallel safe
begin atomic
  -- Each level takes at least eight bytes, so small values need no walk. A value from a table may be compressed.
  select (pg_column_size(p_value) > 8000 or pg_column_compression(p_value) is not null)
    and jsonb_path_exists(p_value, 'strict $.**{1000} ? (@.type() == "object" || @.type() == "array")');
end;

comment on function tasker.is_too_deep is
$$Returns whether objects and arrays are nested deeper than 1,000 levels in a value that a client has sent. PostgreSQL can read much deeper values. So the engine can nest the value in another value without exceeding the limit of PostgreSQL. The function is inlined.$$;
