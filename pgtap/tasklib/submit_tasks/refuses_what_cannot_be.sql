begin;
select plan(16);

select tasker_test.register_echo();
select tasklib.set_setting('kwargs_bytes', '1000');
select tasker_test.remember_rows();

select throws_ok($$ select tasklib.submit_task('missing') $$, 'TK404', 'no task is registered as "missing"', 'a name that is not registered is refused');
select throws_ok($$ select tasklib.submit_task(null) $$, 'TK422', 'the name of a task is null', 'a null name is refused');
select throws_ok($$ select tasklib.submit_task('echo', '[1]') $$, 'TK422', 'task 1 of the submission is refused: its arguments are not a JSON object', 'arguments that are an array are refused');
select throws_ok($$ select tasklib.submit_tasks('echo', array['{}', '5']::jsonb[]) $$, 'TK422', 'task 2 of the submission is refused: its arguments are not a JSON object', 'a bad second element refuses the whole call');
select throws_ok(
  $$ select tasklib.submit_task('echo', jsonb_build_object('x', (select string_agg(md5(n::text), '') from generate_series(1, 100) as n))) $$,
  'TK413', 'task 1 of the submission is refused: its arguments are too large', 'arguments larger than the setting are refused');
select throws_ok($$ select tasklib.submit_task('echo', p_delay_seconds => -1) $$, 'TK422', 'task 1 of the submission is refused: its delay is not between 0 seconds and 100 years', 'a negative delay is refused');
select throws_ok($$ select tasklib.submit_task('echo', p_delay_seconds => 'NaN') $$, 'TK422', 'task 1 of the submission is refused: its delay is not between 0 seconds and 100 years', 'a delay that is not a number is refused');
select throws_ok($$ select tasklib.submit_task('echo', p_delay_seconds => 'Infinity') $$, 'TK422', 'task 1 of the submission is refused: its delay is not between 0 seconds and 100 years', 'an infinite delay is refused');
select throws_ok($$ select tasklib.submit_task('echo', p_max_retries => -1) $$, 'TK422', 'task 1 of the submission is refused: max_retries is not between 0 and 10000', 'a number of retries below 0 is refused');
select throws_ok($$ select tasklib.submit_task('echo', p_timeout_seconds => 0) $$, 'TK422', 'task 1 of the submission is refused: its timeout is not between 1 second and a year', 'a timeout of 0 is refused');
select throws_ok($$ select tasklib.submit_task('echo', p_tags => '"a"') $$, 'TK422', 'task 1 of the submission is refused: its tags are not a JSON object', 'tags that are not an object are refused');
select throws_ok($$ select tasklib.submit_task('echo', p_dedup_key => '') $$, 'TK422', 'task 1 of the submission is refused: its deduplication key is empty or longer than 1,000 characters', 'an empty key is refused');
select throws_ok($$ select tasklib.submit_tasks('echo', array['{}']::jsonb[], p_priorities => '{1,2}') $$, 'TK422', 'the arrays of a submission have different lengths', 'more priorities than tasks are refused');
select throws_ok($$ select tasklib.submit_tasks('echo', null) $$, 'TK422', 'null tasks cannot be submitted in one call', 'a null array is refused');
select throws_ok($$ select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[100001])) $$, 'TK422', '100001 tasks cannot be submitted in one call', 'too many tasks are refused');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
