create or replace function tasker.current_settings()
  returns setof tasker.settings_now
  language sql
  stable
begin atomic
  select
    true,
    tasker.setting_integer('lease_seconds'),
    tasker.setting_integer('max_lost'),
    tasker.setting_integer('result_bytes'),
    tasker.setting_integer('claim_bytes'),
    tasker.setting_numeric('lane_weight_high'),
    tasker.setting_numeric('lane_weight_normal'),
    tasker.setting_numeric('lane_weight_low'),
    tasker.setting_numeric('backoff_base'),
    tasker.setting_numeric('backoff_multiplier'),
    tasker.setting_integer('max_backoff_seconds'),
    tasker.setting_numeric('backoff_jitter'),
    exists (select from tasker.role_bindings as b),
    tasker.setting_integer('kept_results'),
    tasker.setting_integer('kept_bytes')::bigint,
    (
      select case when count(*) <= 100 then coalesce(array_agg(h.handler order by h.handler), '{}') end
        from (select distinct h.handler from tasker.limit_handlers as h limit 101) as h
    ),
    exists (select from tasker.task_namespaces as n where n.transport = 'broker'),
    array(select p.namespace || '/' || p.named_step_uuid::text from tasker.handler_pauses as p order by 1),
    tasker.handled_here(),
    tasker.setting_integer('context_bytes'),
    tasker.setting('notify'),
    tasker.setting('notify') = 'always' or exists (select from tasker.task_namespaces as n where n.notify = 'always'),
    c.covered_from,
    (
      select min(r.ends_at)
        from tasker.partition_ranges as r
       where r.starts_at >= c.covered_from
         and not exists (select from tasker.partition_ranges as n where n.starts_at = r.ends_at)
    )
    from (select max(r.starts_at) as covered_from from tasker.partition_ranges as r where r.starts_at <= tasker.clock()) as c;
end;

comment on function tasker.current_settings is
$$Computes the row of tasker.settings_now.$$;
