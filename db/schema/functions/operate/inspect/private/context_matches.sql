create or replace function tasker.context_matches(p_context jsonb, p_where jsonpath)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- A predicate returns true or false. Any other path returns values or no value. With silent, a path that does not fit
  -- the context returns no value.
  select jsonb_path_exists(
    jsonb_path_query_array(
      case when p_context ? 'pgtasker' and tasker.is_sealed(p_context) then p_context - 'pgtasker' else p_context end, p_where, '{}', true
    ),
    'strict $[*] ? (@.type() != "null" && (@.type() != "boolean" || @ == true))'
  );
end;

comment on function tasker.context_matches is
$$Returns true if a predicate is true of a context, or if any other path finds a value in it that is not null or false.
Reads only the fields in the clear of an encrypted context.$$;
