begin;
select plan(7);

select tasker_test.register_echo();
select throws_ok($$ select tasklib.schedule_task('s', 'missing', '* * * * *') $$, 'TK404', 'no task is registered as "missing"', 'a name that is not registered is refused');
select throws_ok($$ select tasklib.schedule_task('s', 'echo', 'never') $$, 'TK422', '"never" is no cron expression: it does not have five fields', 'text that is not a cron expression is refused');
select throws_ok($$ select tasklib.schedule_task('s', 'echo', '* * * * *', 'Mars') $$, 'TK422', '"Mars" is no time zone', 'an unknown time zone is refused');
select throws_ok($$ select tasklib.schedule_task('', 'echo', '* * * * *') $$, 'TK422', 'schedule "" is invalid', 'an empty schedule name is refused');
select throws_ok($$ select tasklib.schedule_task('s', 'echo', '* * * * *', p_missed => 'twice') $$, 'TK422', 'schedule "s" is invalid', 'an unknown policy is refused');
select throws_ok($$ select tasklib.schedule_task('s', 'echo', '* * * * *', p_kwargs => '1') $$, 'TK422', 'task 1 of the submission is refused: its arguments are not a JSON object', 'arguments that are not an object are refused');
select is_empty('select from tasklib.schedules', 'no schedule is created');

select * from finish();
rollback;
