begin;
select plan(8);

select tasker_test.freeze('2026-11-21 10:00Z');
select tasker_test.make_task_in('complete');
select tasker_test.pass('1 hour');
select tasker_test.make_task_in('blocked_by_failures');
select is((select count(*) from tasker.get_audit_by_time_range('2026-11-21 10:00Z')), 5::bigint, 'the beginning of the period is inclusive');
select is((select count(*) from tasker.get_audit_by_time_range('2026-11-21 10:00Z', '2026-11-21 11:00Z')), 4::bigint, 'the end of the period is exclusive');
select is((select count(*) from tasker.get_audit_by_time_range('2026-11-21 10:00:00.000001Z')), 1::bigint, 'results before the beginning are not returned');
select results_eq(
  $$ select a.task_uuid, a.step_uuid, a.success from tasker.get_audit_by_time_range('2026-11-21 10:00Z', p_success => false) as a $$,
  $$ select tasker_test.the_task(), tasker_test.the_step('top'), false $$, 'p_success false returns the failures'
);
select is((select count(*) from tasker.get_audit_by_time_range('2026-11-21', p_success => true)), 4::bigint, 'p_success true returns the successes');
select is((select count(*) from tasker.get_audit_by_time_range('2026-11-21', p_namespace => 'elsewhere')), 0::bigint, 'a namespace without results returns none');
select results_eq(
  $$ select a.transition_uuid from tasker.get_audit_by_time_range('2026-11-21') as a $$,
  $$ select a.transition_uuid
       from generate_series(0, 4) as n cross join lateral tasker.get_audit_by_time_range('2026-11-21', p_limit => 1, p_offset => n) as a $$,
  'pages of one row return the same rows in the same order'
);
select set_eq(
  $$ select a from tasker.get_audit_by_time_range('2026-11-21') as a $$,
  $$ select a from tasker.tasks as t cross join lateral tasker.get_task_audit_history(t.task_uuid) as a $$, 'each row is the same as in the history of its task'
);

select * from finish();
rollback;
