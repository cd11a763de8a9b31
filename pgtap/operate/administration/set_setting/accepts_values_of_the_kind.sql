begin;
select plan(10);

select tasker_test.take_turn();
create function pg_temp.set(p_name text, p_value text) returns text language sql as $$
  select tasker.set_setting(p_name, p_value);
  select tasker.get_setting(p_name);
$$;

select is(pg_temp.set('backoff_base', '0.25'), '0.25', 'a numeric setting accepts a fraction');
select is(pg_temp.set('backoff_base', '3'), '3', 'a numeric setting accepts a whole number');
select is(pg_temp.set('backoff_base', '0.123456'), '0.123456', 'a numeric setting accepts six decimals');
select is(pg_temp.set('max_attempts', '10'), '10', 'an integer setting accepts a whole number');
select is(pg_temp.set('max_attempts', '007'), '007', 'an integer setting accepts leading zeros');
select is(tasker.setting_integer('max_attempts'), 7, 'the value 007 is seven');
select is(pg_temp.set('queue_notify_global', 'false'), 'false', 'a boolean setting accepts false');
select is(pg_temp.set('queue_notify_global', 'true'), 'true', 'a boolean setting accepts true');
select is(pg_temp.set('notify', 'asleep'), 'asleep', 'a choice accepts one of its values');
select is(pg_temp.set('notify', 'off'), 'off', 'a choice accepts another of its values');

select * from finish();
rollback;
