begin;
select plan(3);

select throws_ok($$ select tasker.list_tasks(p_state => 'asleep') $$, 'TK422', '"asleep" is not a state of a task', 'an unknown state');
select throws_ok($$ select tasker.list_tasks(p_limit => 0) $$, 'TK422', 'a list of 0 tasks cannot be had', 'a page of none');
select throws_ok($$ select tasker.list_tasks(p_limit => 10001) $$, 'TK422', 'a list of 10001 tasks cannot be had', 'a page without end');

select * from finish();
rollback;
