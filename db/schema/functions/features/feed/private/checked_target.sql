create or replace function tasker.checked_target(p_target jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind  text;
  v_queue text;
  v_bound text[] := tasker.bound_namespaces();
begin
  if p_target is null then
    return null;
  end if;
  if jsonb_typeof(p_target) = 'object' and length(p_target::text) <= 4000 then
    select k.key into v_kind from jsonb_object_keys(p_target) as k (key);
    v_queue := p_target #>> array[v_kind, 'queue'];
    if (
         (select count(*) from jsonb_object_keys(p_target)) = 1
         and jsonb_typeof(p_target -> v_kind) = 'object'
         and (
           v_kind = 'webhook'
           and (p_target -> v_kind) - 'url' - 'own_secret' = '{}'
           and p_target #>> '{webhook,url}' ~ '^https?://[^[:space:][:cntrl:]@]+$'
           and coalesce(jsonb_typeof(p_target #> '{webhook,own_secret}') = 'boolean', true)
           or v_kind in ('pgmq', 'rabbitmq')
           and (p_target -> v_kind) - 'queue' = '{}'
           and v_queue ~ '^[A-Za-z0-9_.-]{1,47}$'
         )
       ) is not true then
      v_kind := null;
    end if;
  end if;

  case v_kind
    when 'pgmq' then
      perform tasker.check_queue_right(v_queue, 'insert');
      return p_target;
    when 'rabbitmq' then
      -- The relay declares and fills the queue with its own rights, and steps and dead letters have queues there too.
      if v_queue ~ '^steps-|_dead$'
         or not exists (select from unnest(v_bound) as b (namespace) where starts_with(v_queue, 'events-' || b.namespace || '-'))
            and v_bound is not null then
        raise exception using
          errcode = 'TK403',
          message = format('events may not be sent to queue "%s" of RabbitMQ', v_queue),
          detail  = case
            when v_queue ~ '^steps-|_dead$' then 'Steps go through the queues steps-…, and dead letters to those that end in _dead.'
            else format('The caller is bound to %s.', coalesce(nullif(array_to_string(v_bound[:10], ', '), ''), 'no namespace'))
          end,
          hint    = 'Name another queue. A caller that is bound to namespaces names events-<namespace>-<name>.';
      end if;
      return p_target;
    when 'webhook' then
      return case when v_bound is null then p_target else jsonb_set(p_target, '{webhook,own_secret}', 'true') end;
    else
      raise exception using
        errcode = 'TK422',
        message = 'the target of a subscription is malformed',
        detail  = left(p_target::text, 200),
        hint    = 'It is {"pgmq": {"queue": name}}, {"rabbitmq": {"queue": name}} or {"webhook": {"url": "https://…"}}, whose URL holds no user.';
  end case;
end;
$$;

comment on function tasker.checked_target is
$$Returns the target of a subscription in the stored form. If the caller is bound, a webhook gets "own_secret": true, so that its requests are signed only with a secret of this subscription. Raises TK422 for an object that is not a valid target, TK403 for a queue that the caller may not send to.$$;
