begin;
select plan(4);

select throws_ok($$ select tasklib.list_tasks('asleep') $$, 'TK422', '"asleep" is no state of a task', 'an unknown state');
select throws_ok($$ select tasklib.list_tasks(p_limit => 0) $$, 'TK422', 'a list of 0 tasks cannot be had', 'none');
select throws_ok($$ select tasklib.list_tasks(p_limit => 10001) $$, 'TK422', 'a list of 10001 tasks cannot be had', 'too many');
select throws_ok($$ select tasklib.list_tasks(p_limit => null) $$, 'TK422', 'a list of null tasks cannot be had', 'null');

select * from finish();
rollback;
