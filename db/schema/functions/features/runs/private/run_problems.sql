create or replace function tasker.run_problems(p_runs jsonb)
  returns setof tasker.template_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.condition_error(p_runs ->> 'key') is not null then
    return query
    select 'runs.key', format('"%s" is not a jsonpath', left(p_runs ->> 'key', 100)), tasker.condition_error(p_runs ->> 'key') || ' For example: $.customer.';
  end if;
  if p_runs -> 'sequence' = 'true' and coalesce((p_runs ->> 'max')::numeric, 1) <> 1 then
    return query select 'runs.max', 'must be 1 in a sequence', 'A sequence runs strictly one task after the other.';
  end if;
  if p_runs -> 'sequence' = 'true' and p_runs ->> 'further' = 'cancel_running' then
    return query
    select 'runs.further', 'cannot be cancel_running in a sequence', 'A failed task holds up its sequence and cannot be cancelled. Use wait, skip, refuse or replace_waiting.';
  end if;
end;
$$;

comment on function tasker.run_problems is
$$Returns the problems of the field "runs" of a well-formed template: a key that is not a path, a sequence that runs several tasks at once or cancels running tasks.$$;
