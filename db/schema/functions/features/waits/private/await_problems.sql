create or replace function tasker.await_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_listed boolean := jsonb_typeof(p_step -> 'await') = 'array';
begin
  if coalesce(jsonb_typeof(p_step -> 'await'), 'null') = 'null' then
    return query
    select
      k.key, 'has no meaning without await or task',
      case k.key when 'timeout' then 'How long an attempt of a handler may take is timeout_seconds.' end
    from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
    where k.key in ('timeout', 'on_timeout', 'assignee')
      and coalesce(jsonb_typeof(p_step -> 'task'), 'null') = 'null';
    return;
  end if;

  return query
  select
    k.key, 'has no meaning for a step that waits',
    case k.key
      when 'timeout_seconds' then 'How long a step waits at most is timeout, such as "3d".'
      when 'compensate' then 'It has no effect that could be undone.'
      else 'A step with await has no handler: no worker runs it.'
    end
  from jsonb_object_keys(jsonb_strip_nulls(p_step)) as k (key)
  where k.key in ('handler', 'retry', 'timeout_seconds', 'priority', 'initialization', 'limit', 'limit_key', 'limit_units', 'limit_hold', 'limit_bound', 'limit_bound_max', 'limits', 'start_within', 'compensate')
  union all
  select 'on_timeout', 'has no meaning without a timeout', 'A timeout is a duration, such as "3d".'
   where p_step ->> 'on_timeout' is not null
     and p_step ->> 'timeout' is null;

  return query
  select
    'await' || case when v_listed then format('[%s]', a.no - 1) else '' end || coalesce('.' || x.path, ''),
    x.problem, x.hint
  from jsonb_array_elements(
    case when v_listed then p_step -> 'await' else jsonb_build_array(p_step -> 'await') end
  ) with ordinality as a (value, no)
  cross join lateral (
    select null as path, 'must have one of signal, event, for and until' as problem,
           'For example {"signal": "approved"}, {"event": "paid", "key": "$.order"}, {"for": "3d"}.' as hint
     where num_nonnulls(a.value ->> 'signal', a.value ->> 'event', a.value ->> 'for', a.value ->> 'until') <> 1
    union all
    select k.key,
           format('has no meaning without %s', case k.key when 'schema' then 'a signal' when 'when' then 'a signal or an event' else 'an event' end),
           null
      from jsonb_object_keys(jsonb_strip_nulls(a.value)) as k (key)
     where case k.key
         when 'schema' then a.value ->> 'signal' is null
         when 'when' then num_nonnulls(a.value ->> 'signal', a.value ->> 'event') = 0
         else k.key in ('key', 'look_back') and a.value ->> 'event' is null
       end
    union all
    select 'key', format('"%s" is not a path', left(a.value ->> 'key', 100)),
           tasker.condition_error(a.value ->> 'key') || ' A key that begins with $ is a path of the context, such as $.order; any other is taken as it is.'
     where a.value ->> 'key' like '$%'
       and tasker.condition_error(a.value ->> 'key') is not null
    union all
    select 'when', format('"%s" is not a jsonpath predicate', left(a.value ->> 'when', 100)),
           tasker.condition_error(a.value ->> 'when') || ' For example: $.approved == true, or $.amount > 100.'
     where tasker.condition_error(a.value ->> 'when') is not null
    union all
    select 'until', format('"%s" is neither a time nor a path', left(a.value ->> 'until', 100)),
           case when a.value ->> 'until' like '$%' then tasker.condition_error(a.value ->> 'until') || ' ' else '' end
             || 'A time has a date and an offset, such as 2026-12-24T18:00:00Z; a path of the context begins with $.'
     where case
         when a.value ->> 'until' like '$%' then tasker.condition_error(a.value ->> 'until') is not null
         else tasker.instant_of(a.value ->> 'until') is null
       end
       and a.value ->> 'until' is not null
    union all
    select null, p.problem, 'Other keywords are refused, so that no schema promises more than is checked.'
      from (select tasker.schema_problem(a.value -> 'schema', 'schema') as problem) as p
     where a.value ->> 'schema' is not null
       and p.problem is not null
    union all
    select 'schema', 'has more than 16,384 bytes', 'Leave to a handler what a schema of this size is to check.'
     where octet_length(a.value ->> 'schema') > 16384
  ) as x;
end;
$$;

comment on function tasker.await_problems is
$$Returns the problems of the wait of a well-formed step: alternatives of no kind or of several kinds, fields that have no meaning, and invalid conditions, times and schemas.$$;
