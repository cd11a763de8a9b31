create or replace function tasker.forget_events(p_limit integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_old      uuid[];
  v_receipts integer;
  v_events   integer;
begin
  v_old := array(
    select b.event_uuid
      from tasker.broadcasts as b
     where b.sent_at < tasker.clock() - tasker.setting_integer('event_hours') * interval '1 hour'
       and b.delivered_at is not null
     order by b.sent_at
     limit p_limit
       for update skip locked
  );
  delete from tasker.broadcast_receipts as r
   using (
     select r.event_uuid, r.task_uuid, r.step_no
       from unnest(v_old) as u (event_uuid)
      cross join lateral (
        select r.event_uuid, r.task_uuid, r.step_no
          from tasker.broadcast_receipts as r
         where r.event_uuid = u.event_uuid
         limit p_limit
      ) as r
      limit p_limit
   ) as o
   where r.event_uuid = o.event_uuid
     and r.task_uuid = o.task_uuid
     and r.step_no = o.step_no;
  get diagnostics v_receipts = row_count;
  delete from tasker.broadcasts as b
   where b.event_uuid = any (v_old)
     and not exists (select from tasker.broadcast_receipts as r where r.event_uuid = b.event_uuid);
  get diagnostics v_events = row_count;
  return v_receipts + v_events;
end;
$$;

comment on function tasker.forget_events is
$$Deletes events that are older than the setting "event_hours" and were delivered to all waiting steps. First deletes the receipts of the steps that took them. Deletes at most p_limit events and p_limit receipts, and returns the number of deleted rows.$$;
