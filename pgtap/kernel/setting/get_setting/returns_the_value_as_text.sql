begin;
select plan(4);

select is(tasker.get_setting('max_attempts'), '3', 'it returns a whole number as text');
select is(tasker.get_setting('backoff_jitter'), '0.2', 'it returns a fraction as text');
select is(tasker.get_setting('queue_notify_global'), 'true', 'it returns a boolean as text');
select is(
  (select count(*) from tasker.settings as s where tasker.get_setting(s.name) is distinct from s.value),
  0::bigint,
  'it returns the value of every setting'
);

select * from finish();
rollback;
