begin;
select plan(10);

select tasker_test.take_turn();

select lives_ok($$ select tasker.set_setting('backoff_base', '0.25') $$, 'a fraction where a number is asked for');
select lives_ok($$ select tasker.set_setting('backoff_base', '3') $$, 'a whole number as well');
select lives_ok($$ select tasker.set_setting('backoff_base', '0.123456') $$, 'up to six decimals');
select lives_ok($$ select tasker.set_setting('max_attempts', '10') $$, 'a whole number');
select lives_ok($$ select tasker.set_setting('max_attempts', '007') $$, 'one with zeros before it');
select is(tasker.setting_integer('max_attempts'), 7, 'which is seven');
select lives_ok($$ select tasker.set_setting('queue_notify_global', 'false') $$, 'false for a switch');
select lives_ok($$ select tasker.set_setting('queue_notify_global', 'true') $$, 'true for a switch');
select lives_ok($$ select tasker.set_setting('notify', 'asleep') $$, 'one of the choices');
select lives_ok($$ select tasker.set_setting('notify', 'off') $$, 'another one');

select * from finish();
rollback;
