begin;
select plan(2);

select results_eq(
  'select name, kind, default_value, minimum, maximum from tasker.list_settings()',
  $$
  values
    ('analytics_seconds',                      'integer', '900',      60::numeric,    86400::numeric),
    ('backoff_base',                           'numeric', '1',        0.001,          86400),
    ('backoff_jitter',                         'numeric', '0.2',      0,              1),
    ('backoff_multiplier',                     'numeric', '2',        1,              100),
    ('claim_bytes',                            'integer', '16777216', 1024,           268435456),
    ('context_bytes',                          'integer', '1048576',  2,              268435456),
    ('dead_events',                            'integer', '1000',     1,              100000),
    ('discovery_lease_seconds',                'integer', '30',       1,              86400),
    ('disk_gigabytes',                         'integer', '0',        0,              1000000000),
    ('enforce_processor_ownership',            'boolean', 'false',    null,           null),
    ('event_bytes',                            'integer', '16384',    2,              1048576),
    ('event_hours',                            'integer', '168',      1,              87600),
    ('fallback_poll_seconds',                  'integer', '30',       1,              86400),
    ('finalization_lease_seconds',             'integer', '30',       1,              86400),
    ('garbage_seconds',                        'integer', '300',      10,             86400),
    ('incident_seconds',                       'integer', '15',       1,              3600),
    ('kept_bytes',                             'integer', '4194304',  1024,           268435456),
    ('kept_results',                           'integer', '1000',     1,              65535),
    ('lane_weight_high',                       'integer', '8',        1,              1000),
    ('lane_weight_low',                        'integer', '1',        1,              1000),
    ('lane_weight_normal',                     'integer', '4',        1,              1000),
    ('lease_seconds',                          'integer', '60',       1,              86400),
    ('list_reads',                             'integer', '100000',   1000,           10000000),
    ('mass_action_seconds',                    'integer', '2',        1,              3600),
    ('max_attempts',                           'integer', '3',        1,              10000),
    ('max_backoff_seconds',                    'integer', '60',       0,              31536000),
    ('max_lost',                               'integer', '10',       1,              10000),
    ('max_subscriptions',                      'integer', '100',      0,              10000),
    ('max_task_depth',                         'integer', '100',      1,              10000),
    ('max_task_tree',                          'integer', '10000',    1,              10000000),
    ('missed_tick_seconds',                    'integer', '60',       1,              86400),
    ('notify',                                 'choice',  'asleep',   null,           null),
    ('partition_lock_timeout_ms',              'integer', '200',      10,             10000),
    ('partition_seconds',                      'integer', '600',      10,             86400),
    ('priority_age_factor',                    'numeric', '0.1',      0,              1000000),
    ('priority_deadline_factor',               'numeric', '10',       0,              1000000),
    ('priority_retry_factor',                  'numeric', '1',        0,              1000000),
    ('queue_notify_global',                    'boolean', 'true',     null,           null),
    ('queue_notify_throttle_ms',               'integer', '0',        0,              3600000),
    ('result_bytes',                           'integer', '1048576',  1,              268435456),
    ('retention_seconds',                      'integer', '300',      10,             86400),
    ('rollup_days',                            'integer', '90',       1,              3650),
    ('rollup_seconds',                         'integer', '60',       1,              86400),
    ('runbook',                                'link',    'https://github.com/pgtasker/pgtasker/blob/main/docs/howto/incidents.md#{kind}', null, null),
    ('schedule_seconds',                       'integer', '60',       1,              86400),
    ('schedule_ticks',                         'integer', '1000',     1,              100000),
    ('session_idle_seconds',                   'integer', '7200',     60,             2592000),
    ('session_refresh_seconds',                'integer', '900',      10,             86400),
    ('session_seconds',                        'integer', '43200',    60,             2592000),
    ('sign_in_again_seconds',                  'integer', '900',      0,              86400),
    ('stale_other_minutes',                    'integer', '1440',     1,              5256000),
    ('stale_steps_in_process_minutes',         'integer', '30',       1,              5256000),
    ('stale_tasks_to_dlq',                     'boolean', 'true',     null,           null),
    ('stale_waiting_for_dependencies_minutes', 'integer', '60',       1,              5256000),
    ('stale_waiting_for_retry_minutes',        'integer', '30',       1,              5256000),
    ('staleness_seconds',                      'integer', '300',      10,             86400),
    ('statistics_seconds',                     'integer', '600',      10,             86400),
    ('stream_bytes',                          'integer', '16777216',  1048576,        1073741824),
    ('stream_item_bytes',                     'integer', '16384',     256,            1048576),
    ('stream_items',                          'integer', '100000',    1000,           100000000),
    ('tenant',                                 'tenant',  'none',     null,           null),
    ('uuid_tolerance_seconds',                 'integer', '3600',     0,              86400)
  $$,
  'settings are listed by name with kind, default and bounds'
);
select is_empty(
  $$
  select name
    from tasker.list_settings()
   where value is distinct from default_value
      or changed_at is not null
      or changed_by is not null
  $$,
  'no setting has been changed'
);

select * from finish();
rollback;
