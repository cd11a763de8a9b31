begin;
select plan(4);

select throws_ok($$ select tasklib.list_tasks('asleep') $$, 'TK422', '"asleep" is not a state of a task', 'an unknown state');
select throws_ok($$ select tasklib.list_tasks(p_limit => 0) $$, 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'none');
select throws_ok($$ select tasklib.list_tasks(p_limit => 10001) $$, 'TK422', 'the limit is 10001; it must be between 1 and 10,000', 'too many');
select throws_ok($$ select tasklib.list_tasks(p_limit => null) $$, 'TK422', 'the limit is null; it must be between 1 and 10,000', 'null');

select * from finish();
rollback;
