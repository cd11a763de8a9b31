create or replace function tasker.condition_holds(p_condition jsonpath, p_results jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- Use match, not exists, because a predicate has a truth value. With silent, results that do not fit make
  -- the predicate false.
  select p_condition is null
      or coalesce(
        case
          when p_condition::text like '%like!_regex%' escape '!' and tasker.regex_error(p_condition::text) is not null then false
          when jsonb_typeof(jsonb_path_query_first(p_results, p_condition, '{}', true)) = 'boolean'
          then jsonb_path_query_first(p_results, p_condition, '{}', true)::boolean
        end,
        false
      );
end;

comment on function tasker.condition_holds is
$$Returns true if an edge's condition holds for its parent's results. Null always holds. A predicate that does not fit the results does not hold, nor does a predicate with a regular expression that is too costly.$$;
