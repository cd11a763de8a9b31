create or replace function tasker.sql_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select k.key, 'has no meaning for a step that is SQL', 'A step names one of sql, await, task and handler.'::text
    from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
   where p_step ->> 'sql' is not null
     and (k.key in ('await', 'task') or k.key = 'handler' and p_step ->> 'handler' <> 'sql:' || (p_step ->> 'sql'))
  union all
  select k.key, 'begins with "sql:"', case k.key
      when 'handler' then format('Name the function instead: "sql": "%s".', left(substr(p_step ->> 'handler', 5), 100))
      else 'After it stands a function with its schema, both in lower case, such as sql:shop.cancel_order.'
    end
    from unnest('{handler,compensate}'::text[]) as k (key)
   where starts_with(p_step ->> k.key, 'sql:')
     and case k.key
       when 'handler' then p_step ->> 'sql' is null
       else p_step ->> 'compensate' !~ '^sql:[a-z_][a-z0-9_]{0,62}\.[a-z_][a-z0-9_]{0,62}$'
     end;
end;
$$;

comment on function tasker.sql_problems is
$$Returns the problems of the SQL function that a step names: the step also is of another kind, or its handler or compensation has the form of a SQL function.$$;
