begin;
select plan(2);

select throws_ok(
  $$ select tasker.get_task('01900000-0000-7000-8000-000000000000') $$,
  'TK404', 'task 01900000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);
select throws_ok($$ select tasker.get_task(null) $$, 'TK404', 'task null does not exist', 'a null task is refused');

select * from finish();
rollback;
