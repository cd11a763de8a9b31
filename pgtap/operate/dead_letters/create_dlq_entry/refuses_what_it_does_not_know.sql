begin;
select plan(4);

select tasker_test.make_task();
select throws_ok($$ select tasker.create_dlq_entry('01980000-0000-7000-8000-000000000000') $$, 'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused');
select throws_ok(
  $$ select tasker.create_dlq_entry(tasker_test.the_task(), 'boredom') $$,
  'TK422', '"boredom" is not a reason for the dead-letter queue', 'an unknown reason is refused'
);
select throws_ok(
  $$ select tasker.create_dlq_entry(tasker_test.the_task(), p_metadata => '[]') $$,
  'TK422', 'the metadata of a dead-letter entry is not a JSON object', 'metadata that is an array is refused'
);
select is_empty('select from tasker.tasks_dlq', 'no entry is left behind');

select * from finish();
rollback;
