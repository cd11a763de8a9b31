begin;
select plan(3);

select throws_ok($$ select tasklib.list_tasks('asleep') $$, 'TK422', '"asleep" is not a state of a task', 'an unknown state is refused');
select throws_ok($$ select tasklib.list_tasks(p_limit => 0) $$, 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a limit of 0 is refused');
select throws_ok($$ select tasklib.list_tasks(p_limit => 10001) $$, 'TK422', 'the limit is 10001; it must be between 1 and 10,000', 'a limit of more than 10,000 is refused');

select * from finish();
rollback;
