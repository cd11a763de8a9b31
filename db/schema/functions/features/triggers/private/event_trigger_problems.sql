create or replace function tasker.event_trigger_problems(p_template jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_keyed boolean := coalesce(p_template ->> 'identity_strategy', 'strict') = 'caller_provided';
begin
  return query
  select l.field || case when l.listed then format('[%s]', t.no - 1) else '' end || coalesce('.' || x.path, ''), x.problem, x.hint
    from (
      select f.field, p_template -> f.field as value, jsonb_typeof(p_template -> f.field) = 'array' as listed
        from unnest('{start_on,cancel_on}'::text[]) as f (field)
       where jsonb_typeof(p_template -> f.field) in ('array', 'object')
    ) as l
   cross join jsonb_array_elements(case when l.listed then l.value else jsonb_build_array(l.value) end) with ordinality as t (value, no)
   cross join lateral (
     select 'when' as path, format('"%s" is not a jsonpath predicate', left(t.value ->> 'when', 100)) as problem,
            tasker.condition_error(t.value ->> 'when') || ' For example: $.amount > 100.' as hint
      where tasker.condition_error(t.value ->> 'when') is not null
     union all
     select 'identity', 'has no meaning without the identity strategy "caller_provided"', 'The tasks of the template have no keys.'
      where not v_keyed
        and t.value ->> 'identity' is not null
     union all
     select null, 'needs the identity strategy "caller_provided"', 'An event cancels the task of a key.'
      where not v_keyed
        and l.field = 'cancel_on'
     union all
     select 'identity', format('"%s" is not a jsonpath', left(t.value ->> 'identity', 100)), tasker.condition_error(t.value ->> 'identity') || ' For example: $.order.'
      where t.value ->> 'identity' like '$%'
        and tasker.condition_error(t.value ->> 'identity') is not null
     union all
     select
       'context.' || left(f.key, 100),
       case when jsonb_typeof(f.value) = 'object' then 'refers to a step' else format('"%s" is not a jsonpath', left(f.value #>> '{}', 100)) end,
       case when jsonb_typeof(f.value) = 'object' then 'An event comes before all steps. A constant object is {"value": …}.' else tasker.condition_error(f.value #>> '{}') || ' For example: $.order.id.' end
       from jsonb_each(case when jsonb_typeof(t.value -> 'context') = 'object' then t.value -> 'context' end) as f
      where tasker.is_child_reference(f.value)
        and (jsonb_typeof(f.value) = 'object' or tasker.condition_error(f.value #>> '{}') is not null)
   ) as x
   limit 20;
end;
$$;

comment on function tasker.event_trigger_problems is
$$Returns the problems of the fields start_on and cancel_on of a well-formed template: invalid conditions and paths, and identities although the template's tasks have no keys.$$;
