create or replace function tasker.context_matches(p_context jsonb, p_where jsonpath)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- A predicate has a truth value, another path a value or none. With silent, a path that does not fit the context has none.
  select coalesce(nullif(jsonb_path_query_first(
      case when p_context ? 'pgtasker' and tasker.is_sealed(p_context) then p_context - 'pgtasker' else p_context end, p_where, '{}', true
    ), 'null') <> 'false', false);
end;

comment on function tasker.context_matches is
$$Returns true if a predicate holds for a context, or another path finds a value in it other than null and false. Reads only the fields in the clear of an encrypted context.$$;
