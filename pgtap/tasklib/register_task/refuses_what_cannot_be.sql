begin;
select plan(11);

select tasker_test.take_turn();
select tasker_test.remember_rows();
select throws_ok($$ select tasklib.register_task(null) $$, 'TK422', '"" is not a valid task name', 'a null name is refused');
select throws_ok($$ select tasklib.register_task('a b') $$, 'TK422', '"a b" is not a valid task name', 'a blank in the name is refused');
select throws_ok($$ select tasklib.register_task('a' || repeat('b', 100)) $$, 'TK422', '"abbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" is not a valid task name', 'a name that is too long is refused');
select throws_ok($$ select tasklib.register_task('echo', '[]') $$, 'TK422', 'the options of task "echo" are not a JSON object', 'options that are not an object are refused');
select throws_ok($$ select tasklib.register_task('echo', '{"retries": 1}') $$, 'TK422', 'task "echo" has no option "retries"', 'an unknown option is refused');
select throws_ok($$ select tasklib.register_task('echo', '{"max_retries": "1"}') $$, 'TK422', 'option "max_retries" cannot be "1"', 'text instead of a number is refused');
select throws_ok($$ select tasklib.register_task('echo', '{"max_retries": -1}') $$, 'TK422', 'option "max_retries" cannot be -1', 'a number below the minimum is refused');
select throws_ok($$ select tasklib.register_task('echo', '{"max_retries": 1.5}') $$, 'TK422', 'option "max_retries" cannot be 1.5', 'a fraction is refused');
select throws_ok($$ select tasklib.register_task('echo', '{"description": 1}') $$, 'TK422', 'the description of task "echo" is not a text', 'a number instead of text is refused');
select throws_ok($$ select tasklib.register_task('echo', '{"rate_limit": 1}') $$, 'TK422', 'a limit of task "echo" is incomplete', 'a rate without its period is refused');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
