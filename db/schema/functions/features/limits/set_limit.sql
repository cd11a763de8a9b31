create or replace function tasker.set_limit(
  p_namespace    text,
  p_name         text,
  p_concurrency  integer  default null,
  p_rate         integer  default null,
  p_per_seconds  integer  default null,
  p_burst        integer  default null,
  p_actor        text     default null,
  p_reason       text     default null
)
  returns setof tasker.limit_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := tasker.clock();
  v_per integer     := coalesce(p_per_seconds, 1);
  v_one integer     := tasker.burst_of(p_rate, p_per_seconds, p_burst);
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  if p_name is null or p_name !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$' then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not a valid limit name', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'A name is a letter or digit, then at most 127 of these, underscores, dots, colons and hyphens.';
  end if;
  perform tasker.check_limit_bounds(p_name, p_concurrency, p_rate, p_per_seconds, p_burst);
  perform tasker.check_namespace_exists(p_namespace);

  insert into tasker.limits (namespace, name, created_by, updated_by)
  values (p_namespace, p_name, tasker.actor_name(p_actor), tasker.actor_name(p_actor))
  on conflict (namespace, name) do nothing;
  if found then
    perform tasker.check_limit_count(p_namespace);
  end if;
  update tasker.limits as l
     set concurrency = p_concurrency,
         rate        = p_rate,
         per_seconds = v_per,
         burst       = v_one,
         version     = l.version + 1,
         updated_at  = v_now,
         updated_by  = tasker.actor_name(p_actor)
   where l.namespace = p_namespace
     and l.name = p_name
     and (l.concurrency, l.rate, l.per_seconds, l.burst) is distinct from (p_concurrency, p_rate, v_per, v_one);
  if found then
    perform tasker.notify_steps_ready(p_namespace);
  end if;
  return query
  select d.* from tasker.describe_limits(array[p_namespace]) as d where d.name = p_name;
end;
$$;

comment on function tasker.set_limit is
$$Sets the bounds of a limit: how many steps that name the limit may run at once (p_concurrency, null means any number, 0 stops them), and how many of these steps may start in p_per_seconds (p_rate, null means any number). The bounds apply to each key of the limit separately, except to keys with bounds from set_limit_key. A bound from the context of a task (limit_bound) replaces p_concurrency for its key, unless p_concurrency is 0. Replaces all bounds of the limit, or creates the limit. Returns the limit.

The new bounds apply from the next claim on. Lower bounds interrupt no running step, but no step starts until fewer steps run than p_concurrency. p_per_seconds is 1 by default. The starts of a rate are spaced evenly, except that p_burst steps may start at once after a pause. The default of p_burst is the number of starts in a tenth of a second, at least 1. So at most p_rate + p_burst - 1 steps start in any period of p_per_seconds.

Idempotent. p_actor is the caller's role by default. Locks the limit's row. Raises TK404 if there is no such namespace, TK422 for a bound out of range or a malformed name, TK413 if the actor's name is too long or the namespace has 1,000 limits, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.set_limit to tasker_operator;
