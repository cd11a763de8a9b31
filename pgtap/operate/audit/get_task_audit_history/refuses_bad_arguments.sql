begin;
select plan(6);

select tasker_test.create_task();
select throws_ok('select from tasker.get_task_audit_history(null)', 'TK404', 'task null does not exist', 'a null task is refused');
select throws_ok(
  $$ select from tasker.get_task_audit_history('00000000-0000-0000-0000-000000000000') $$,
  'TK404', 'task 00000000-0000-0000-0000-000000000000 does not exist', 'an unknown task is refused'
);
select throws_ok(
  format('select from tasker.get_task_audit_history(tasker_test.the_task(), %s)', u.no),
  'TK422', format('a limit of %s is out of range', u.no), format('a limit of %s is refused', u.no)
)
  from unnest('{0, -1, 100001}'::integer[]) as u (no);

select throws_ok(
  'select from tasker.get_task_audit_history(tasker_test.the_task(), p_after_step_no => 1, p_after_sort_key => 2147483647)',
  'TK422', 'the audit has no such result to begin after', 'the largest sort key is refused as any unknown one'
);

select * from finish();
rollback;
