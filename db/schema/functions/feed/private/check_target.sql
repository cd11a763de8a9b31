create or replace function tasker.check_target(p_target jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind  text;
  v_queue text;
begin
  if p_target is null then
    return;
  end if;
  if jsonb_typeof(p_target) = 'object' and length(p_target::text) <= 4000 then
    select k.key into v_kind from jsonb_object_keys(p_target) as k (key);
    v_queue := p_target #>> array[v_kind, 'queue'];
    if (select count(*) from jsonb_object_keys(p_target)) = 1
       and jsonb_typeof(p_target -> v_kind) = 'object'
       and (
         v_kind = 'webhook'
         and (p_target -> v_kind) - 'url' = '{}'
         and p_target #>> '{webhook,url}' ~ '^https?://[^[:space:][:cntrl:]@]+$'
         or v_kind in ('pgmq', 'rabbitmq')
         and (p_target -> v_kind) - 'queue' = '{}'
         and v_queue ~ '^[A-Za-z0-9_.-]{1,47}$'
       ) then
      if v_kind = 'pgmq' then
        perform tasker.check_queue_right(v_queue, 'insert');
      end if;
      return;
    end if;
  end if;
  raise exception using
    errcode = 'TK422',
    message = 'the target of a subscription is malformed',
    detail  = left(p_target::text, 200),
    hint    = 'It is {"pgmq": {"queue": name}}, {"rabbitmq": {"queue": name}} or {"webhook": {"url": "https://…"}}, whose URL holds no user.';
end;
$$;

comment on function tasker.check_target(jsonb) is
$$Raises TK422 for what is not a target of a subscription, TK403 for a pgmq queue that the caller may not send to.$$;

revoke all on function tasker.check_target(jsonb) from public;
