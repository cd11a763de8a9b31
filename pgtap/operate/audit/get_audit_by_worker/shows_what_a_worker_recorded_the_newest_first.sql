begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.create_task();
create temporary table made as select tasker_test.the_task() as task;
select tasker_test.run('top');
select tasker_test.pass('1 minute');
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');
select tasker_test.pass('1 minute');
select tasker_test.create_task();
select from tasker.claim_step(tasker_test.the_step('top'), '00000000-0000-0000-0000-0000000000c2');
select tasker_test.finish('top');

select results_eq(
  $$
  select a.task_uuid = (select m.task from made as m), a.success
    from tasker.get_audit_by_worker('00000000-0000-0000-0000-0000000000c1') as a
  $$,
  'values (false, false), (true, true)', 'it returns the results of this worker from all tasks, newest first'
);
select results_eq(
  $$ select a.success from tasker.get_audit_by_worker('00000000-0000-0000-0000-0000000000c1', 1) as a $$, 'values (false)',
  'it returns no more rows than the limit'
);
select is_empty($$ select from tasker.get_audit_by_worker('00000000-0000-0000-0000-0000000000c9') $$, 'it returns no row for an unknown worker');
select is_empty('select from tasker.get_audit_by_worker(null)', 'it returns no row for null');
select throws_ok(
  format($$ select from tasker.get_audit_by_worker('00000000-0000-0000-0000-0000000000c1', %s) $$, u.no),
  'TK422', format('a limit of %s is out of range', u.no), format('a limit of %s is refused', u.no)
)
  from unnest('{0, 100001}'::integer[]) as u (no);

select * from finish();
rollback;
