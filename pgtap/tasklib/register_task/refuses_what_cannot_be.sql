begin;
select plan(12);

select tasker_test.take_turn();
select tasker_test.remember_rows();
select throws_ok($$ select tasklib.register_task(null) $$, 'TK422', '"" is not a valid task name', 'null');
select throws_ok($$ select tasklib.register_task('a b') $$, 'TK422', '"a b" is not a valid task name', 'a blank in the name');
select throws_ok($$ select tasklib.register_task('a' || repeat('b', 100)) $$, 'TK422', '"abbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" is not a valid task name', 'a name that is too long');
select throws_ok($$ select tasklib.register_task('echo', '[]') $$, 'TK422', 'the options of task "echo" are not a JSON object', 'a list of options');
select throws_ok($$ select tasklib.register_task('echo', null) $$, 'TK422', 'the options of task "echo" are not a JSON object', 'null options');
select throws_ok($$ select tasklib.register_task('echo', '{"retries": 1}') $$, 'TK422', 'task "echo" has no option "retries"', 'an unknown option');
select throws_ok($$ select tasklib.register_task('echo', '{"max_retries": "1"}') $$, 'TK422', 'option "max_retries" cannot be "1"', 'a text for a number');
select throws_ok($$ select tasklib.register_task('echo', '{"max_retries": -1}') $$, 'TK422', 'option "max_retries" cannot be -1', 'a number below');
select throws_ok($$ select tasklib.register_task('echo', '{"max_retries": 1.5}') $$, 'TK422', 'option "max_retries" cannot be 1.5', 'a fraction');
select throws_ok($$ select tasklib.register_task('echo', '{"description": 1}') $$, 'TK422', 'the description of task "echo" is not a text', 'a number for a text');
select throws_ok($$ select tasklib.register_task('echo', '{"rate_limit": 1}') $$, 'TK422', 'a limit of task "echo" is incomplete', 'a rate without its period');
select is_empty('select tasker_test.changed_tables()', 'nothing is registered');

select * from finish();
rollback;
