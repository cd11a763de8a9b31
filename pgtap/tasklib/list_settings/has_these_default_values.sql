begin;
select plan(1);

select results_eq(
  $$ select s.name, s.default_value from tasklib.list_settings() as s
      where s.name in ('max_retries', 'base_retry_delay_seconds', 'retry_backoff_multiplier', 'lock_timeout_seconds', 'default_task_timeout_seconds') $$,
  $$ values ('base_retry_delay_seconds', '5'), ('default_task_timeout_seconds', '0'), ('lock_timeout_seconds', '600'), ('max_retries', '3'), ('retry_backoff_multiplier', '2') $$,
  'the settings have these default values'
);

select * from finish();
rollback;
