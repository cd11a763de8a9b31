create or replace function tasker.limit_problems(p_step jsonb)
  returns setof tasker.template_problems
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_path  text := p_step ->> 'limit_key';
  v_error text := tasker.condition_error(regexp_replace(v_path, '\$inputs(?![a-zA-Z0-9_])', '$', 'g'));
begin
  if v_path is null then
    return;
  end if;
  if p_step ->> 'limit' is null then
    return query select 'limit_key', 'has no meaning without a limit', 'Name the limit of the namespace: "limit": "stripe".'::text;
  end if;
  if v_error is not null then
    return query
    select 'limit_key', format('"%s" is not a path of the context or the inputs', left(v_path, 100)),
           v_error || ' For example: $.customer, or $inputs.region.';
  end if;
end;
$$;

comment on function tasker.limit_problems is
$$Returns what is wrong with the key of a step's limit: a key without a limit, a path that cannot be one.$$;
