begin;
select plan(4);

select is(tasker.get_setting('max_attempts'), '3', 'a whole number');
select is(tasker.get_setting('backoff_jitter'), '0.2', 'a fraction');
select is(tasker.get_setting('queue_notify_global'), 'true', 'a switch');
select is(
  (select count(*) from tasker.settings as s where tasker.get_setting(s.name) is distinct from s.value),
  0::bigint,
  'and so for every setting'
);

select * from finish();
rollback;
