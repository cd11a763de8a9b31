begin;
select plan(2);

select throws_ok('select tasker.resolve_task_manually(null)', 'TK404', 'task null does not exist', 'a null task is refused');
select throws_ok(
  $$ select tasker.resolve_task_manually('00000000-0000-0000-0000-000000000000') $$,
  'TK404', 'task 00000000-0000-0000-0000-000000000000 does not exist', 'an unknown task is refused'
);

select * from finish();
rollback;
