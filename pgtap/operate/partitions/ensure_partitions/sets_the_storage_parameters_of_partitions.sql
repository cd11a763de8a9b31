-- Partitions do not inherit them. Tasks and steps need room for HOT updates.
begin;
select plan(1);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();

select set_eq(
  $$
  select c.relname::text, c.reloptions
    from pg_class as c
   where c.relnamespace = 'tasker'::regnamespace
     and c.relkind = 'r'
     and c.relname like '%\_p20500101'
  $$,
  $$
  values
    ('added_step_edges_p20500101',             '{fillfactor=100,autovacuum_vacuum_insert_scale_factor=0.2}'::text[]),
    ('kept_results_p20500101',                 '{fillfactor=100,autovacuum_vacuum_scale_factor=0.05,autovacuum_analyze_scale_factor=0.05}'),
    ('step_streams_p20500101',                 '{fillfactor=70,autovacuum_vacuum_scale_factor=0.05,autovacuum_analyze_scale_factor=0.05}'),
    ('task_attributes_p20500101',              '{fillfactor=90,autovacuum_vacuum_scale_factor=0.05,autovacuum_analyze_scale_factor=0.05}'),
    ('stream_items_p20500101',                 '{fillfactor=100,autovacuum_vacuum_insert_scale_factor=0.2}'),
    ('task_signals_p20500101',                 '{fillfactor=90,autovacuum_vacuum_scale_factor=0.05,autovacuum_analyze_scale_factor=0.05}'),
    ('task_log_p20500101',          '{fillfactor=100,autovacuum_vacuum_insert_scale_factor=0.2}'),
    ('tasks_p20500101',                        '{fillfactor=70,autovacuum_vacuum_scale_factor=0.05,autovacuum_analyze_scale_factor=0.05}'),
    ('step_log_p20500101', '{fillfactor=100,autovacuum_vacuum_insert_scale_factor=0.2}'),
    ('workflow_steps_p20500101',               '{fillfactor=50,autovacuum_vacuum_scale_factor=0.05,autovacuum_analyze_scale_factor=0.05}')
  $$,
  'each partition has the parameters of its table'
);

select * from finish();
rollback;
