create or replace function tasker.refused_deliveries(p_step_uuids uuid[], p_moves tasker.step_moves[])
  returns setof tasker.step_exchanges
  language plpgsql
as $$
begin
  return query
  select
    u.step_uuid, 0,
    case
      when q.lane is null or q.lane in ('running', 'results') then 'gone'::tasker.result_answer
      when q.lane = 'paused' or n.paused_at is not null or exists (
        select
          from tasker.handler_pauses as p
         where p.namespace = q.namespace
           and p.named_step_uuid = q.named_step_uuid
      ) then 'paused'
      when q.lane = 'limited' then 'limited'
      else 'busy'
    end,
    null::timestamptz, null::uuid, null::integer, null, null, null, null, null, null::integer, null::integer,
    null::integer, null::integer, null::timestamptz, null::integer, null::uuid, null::uuid, null::jsonb, null::jsonb,
    null::jsonb, null, null::jsonb, null::jsonb, null::jsonb
    from unnest(p_step_uuids) as u (step_uuid)
    left join lateral (
      select q.lane, q.namespace, q.named_step_uuid
        from tasker.step_queue as q
       where q.task_uuid = tasker.task_uuid_of(u.step_uuid)
         and q.step_no = tasker.step_no_of(u.step_uuid)
      offset 0
    ) as q
      on true
    left join lateral (
      select n.paused_at
        from tasker.task_namespaces as n
       where n.name = q.namespace
      offset 0
    ) as n
      on true
   where not exists (
     select
       from unnest(p_moves) as m
      where m.task_uuid = tasker.task_uuid_of(u.step_uuid)
        and m.step_no = tasker.step_no_of(u.step_uuid)
   );
end;
$$;

comment on function tasker.refused_deliveries is
$$Returns an answer for each of these steps that the claim has not started. The answer tells the caller how to handle the step's message. The function is volatile because it must see the commits of other transactions since the claim began.$$;
