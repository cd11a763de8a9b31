begin;
select plan(4);

select tasker_test.take_turn();
select tasker.register_namespace('test');
select is((select l.burst from tasker.set_limit('test', 'a', p_rate => 10) as l), 1, 'the default burst of 10 a second is 1');
select is((select l.burst from tasker.set_limit('test', 'a', p_rate => 1000) as l), 100, 'the default burst of 1,000 a second is 100');
select is((select l.burst from tasker.set_limit('test', 'a', p_rate => 100, p_per_seconds => 60) as l), 1, 'the default burst of 100 a minute is 1');
select is((select l.burst from tasker.set_limit('test', 'a', p_rate => 100, p_per_seconds => 60, p_burst => 7) as l), 7, 'a given burst is kept');

select * from finish();
rollback;
