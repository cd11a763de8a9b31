create or replace function tasker.set_limit_key(
  p_namespace    text,
  p_name         text,
  p_limit_key    text,
  p_concurrency  integer  default null,
  p_rate         integer  default null,
  p_per_seconds  integer  default null,
  p_burst        integer  default null,
  p_actor        text     default null,
  p_reason       text     default null
)
  returns setof tasker.limit_key_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_key      text := tasker.limit_key_of('$', to_jsonb(p_limit_key), null);
  v_limit_no integer;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  v_limit_no := tasker.lock_limit(p_namespace, p_name);
  if p_limit_key is null then
    raise exception using
      errcode = 'TK422',
      message = format('the key of limit "%s" is null', p_name),
      hint    = 'tasker.set_limit() sets the bounds of all keys; the key without a value is the empty text.';
  end if;
  perform tasker.check_limit_bounds(p_name, p_concurrency, p_rate, p_per_seconds, p_burst);

  insert into tasker.limit_bounds as b (
    limit_no, limit_key, namespace, name, concurrency, rate, per_seconds, burst, created_by, updated_by
  )
  values (
    v_limit_no, v_key, p_namespace, p_name, p_concurrency, p_rate, coalesce(p_per_seconds, 1),
    tasker.burst_of(p_rate, p_per_seconds, p_burst), tasker.actor_name(p_actor), tasker.actor_name(p_actor)
  )
  on conflict (limit_no, limit_key) do update
     set concurrency = excluded.concurrency,
         rate        = excluded.rate,
         per_seconds = excluded.per_seconds,
         burst       = excluded.burst,
         updated_at  = excluded.updated_at,
         updated_by  = excluded.updated_by
   where (b.concurrency, b.rate, b.per_seconds, b.burst)
         is distinct from (excluded.concurrency, excluded.rate, excluded.per_seconds, excluded.burst);
  if found then
    perform tasker.open_limit_key(v_limit_no, v_key);
  end if;
  return query select k.* from tasker.describe_limit_keys(v_limit_no, v_key, 1) as k;
end;
$$;

comment on function tasker.set_limit_key is
$$Sets the bounds of one key of a limit, which replace all bounds of the limit for this key: how many of the key's steps may run at once (p_concurrency, null means any number, 0 stops them), and how many of them may start in p_per_seconds (p_rate, null means any number). p_limit_key is the value, as text, that a step's field limit_key leads to. The empty text is the key of steps without a value. Returns the key.

The new bounds apply from the next claim on, and interrupt no running step. The arguments mean the same as for tasker.set_limit. The bounds also replace a bound from the context of a task (limit_bound). Even if no step has the key, its bounds stay until tasker.drop_limit_key or tasker.drop_limit removes them.

Idempotent. p_actor is the caller's role by default. Locks the limit's row for key share, then the key's row of tasker.limit_bounds. Raises TK404 if there is no such limit, TK422 for a bound out of range or a null key, TK413 if the actor's name is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.set_limit_key to tasker_operator;
