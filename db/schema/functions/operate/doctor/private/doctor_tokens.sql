create or replace function tasker.doctor_tokens()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound boolean := tasker.bound_namespaces() is not null;
  v_count bigint;
  v_names text;
begin
  if not v_bound then
    select
      count(*),
      string_agg(
        format('%s at %s', t.name, to_char(t.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI"Z"')), ', ' order by t.expires_at, t.name
      ) filter (where t.position <= 10)
      into v_count, v_names
      from (
        select e.name, e.expires_at, row_number() over (order by e.expires_at, e.name) as position
          from tasker.ending_tokens() as e
      ) as t;
  end if;
  return query
  select
    'tokens',
    case when v_count > 0 then 'warn' else 'ok' end,
    case
      when v_bound then 'not checked for a role that is bound to namespaces'
      when v_count = 0 then 'none ends within a week'
      when v_count > 10 then format('%s end within a week: %s and %s more', v_count, v_names, v_count - 10)
      else format('end within a week: %s', v_names)
    end,
    case when v_count > 0 then 'Create a token for each and give it to its clients before the old one ends: tasker token create.' end;
end;
$$;

comment on function tasker.doctor_tokens is
$$Checks whether tokens of "tasker serve" expire within a week, and names the first ten of these tokens.$$;
