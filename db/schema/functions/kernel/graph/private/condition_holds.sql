create or replace function tasker.condition_holds(p_condition jsonpath, p_results jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  -- Use match, not exists, because a predicate has a truth value. With "silent", the predicate is false if the results
  -- do not have the expected structure.
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
$$Returns true if an edge's condition holds for its parent's results. A null condition always holds. A predicate does not hold if the results do not have the structure that it expects, or if it has a regular expression that is too costly.$$;
