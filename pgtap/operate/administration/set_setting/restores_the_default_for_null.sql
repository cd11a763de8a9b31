begin;
select plan(2);

select tasker_test.take_turn();

select tasker.set_setting('backoff_base', '30');
select is(tasker.set_setting('backoff_base', null), '30', 'null returns the former value');
select is(tasker.get_setting('backoff_base'), '1', 'null restores the default');

select * from finish();
rollback;
