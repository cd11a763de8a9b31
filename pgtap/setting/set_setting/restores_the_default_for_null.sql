begin;
select plan(2);

select tasker_test.take_turn();

select tasker.set_setting('backoff_base', '30');
select is(tasker.set_setting('backoff_base', null), '30', 'null is accepted');
select is(tasker.get_setting('backoff_base'), '1', 'and means the default');

select * from finish();
rollback;
