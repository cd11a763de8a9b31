begin;
select plan(3);

select throws_ok($$ select tasker.list_tasks(p_state => 'asleep') $$, 'TK422', '"asleep" is not a state of a task', 'an unknown state');
select throws_ok($$ select tasker.list_tasks(p_limit => 0) $$, 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a page of none');
select throws_ok($$ select tasker.list_tasks(p_limit => 10001) $$, 'TK422', 'the limit is 10001; it must be between 1 and 10,000', 'a page without end');

select * from finish();
rollback;
