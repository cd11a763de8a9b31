begin;
select plan(8);

select tasker_test.register_echo();
select tasklib.set_setting('result_bytes', '100');
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();
select tasker_test.remember_rows();

select throws_ok($$ select tasklib.complete_tasks('w', null, null) $$, 'TK422', 'this is not a valid report about claimed tasks', 'null arrays are refused');
select throws_ok($$ select tasklib.complete_tasks(null, '{}', '{}') $$, 'TK422', 'this is not a valid report about claimed tasks', 'a null worker is refused');
select throws_ok($$ select tasklib.complete_tasks('w', array[gen_random_uuid()], '{}') $$, 'TK422', 'this is not a valid report about claimed tasks', 'a task without a claim number is refused');
select throws_ok($$ select tasklib.complete_tasks('w', array[gen_random_uuid()], '{1}', '{}') $$, 'TK422', 'this is not a valid report about claimed tasks', 'an array of results that is shorter than the tasks is refused');
select throws_ok(
  format($$ select tasklib.complete_tasks('w', array[%L]::uuid[], '{1}', array[to_jsonb((select string_agg(md5(n::text), '') from generate_series(1, 10) as n))]) $$, :'task'),
  'TK413', format('the result of task %s is too large', :'task'), 'a result larger than the setting is refused'
);
select throws_ok($$ select tasklib.complete_tasks('w', array[array[gen_random_uuid()]], '{{1}}') $$, 'TK422', 'this is not a valid report about claimed tasks', 'an array of arrays is refused');
select is_empty($$ select tasklib.complete_tasks('w', '{}', '{}') $$, 'an empty report is accepted');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
