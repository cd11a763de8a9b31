create or replace function tasker.take_delivered_rows(
  p_step_uuids  uuid[],
  p_now         timestamptz,
  p_until       timestamptz,
  p_settings    tasker.settings_now
)
  returns tasker.step_queue[]
  language plpgsql
as $$
declare
  v_taken tasker.step_queue[];
begin
  with locked as materialized (
    select k.task_uuid, k.step_no
      from unnest(p_step_uuids) as u (step_uuid)
     cross join lateral (
       select k.task_uuid, k.step_no
         from tasker.step_queue as k
         join tasker.task_namespaces as n
           on n.name = k.namespace
        where k.task_uuid = tasker.task_uuid_of(u.step_uuid)
          and k.step_no = tasker.step_no_of(u.step_uuid)
          and n.paused_at is null
          and not tasker.is_paused(k.namespace, k.named_step_uuid, p_settings)
          and (
            k.lane in ('high', 'normal', 'low') and k.visible_at <= p_now
            or k.lane in ('published_high', 'published_normal', 'published_low')
          )
          for update of k skip locked
     ) as k
  ),
  taken as (
    update tasker.step_queue as q
       set visible_at = p_until,
           lane       = 'running',
           claim_no   = tasker.next_claim_no(q.claim_no)
      from locked as k
     where q.task_uuid = any (array[k.task_uuid])
       and q.step_no = k.step_no
    returning q
  )
  select coalesce(array_agg(t.q), '{}') into v_taken from taken as t;
  return v_taken;
end;
$$;

comment on function tasker.take_delivered_rows is
$$Takes the queue rows of these steps that may start now, published or not, if neither their namespace nor their handler is paused: locks the rows, hides them until p_until and assigns their next claim numbers. Skips rows that other transactions hold.$$;
