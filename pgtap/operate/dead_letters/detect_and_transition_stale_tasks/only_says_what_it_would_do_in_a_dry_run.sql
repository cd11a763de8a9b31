begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.make_task_in(s::text) from unnest(enum_range(null::tasker.task_state)) as s;
select tasker_test.pass('2 days');
select tasker_test.remember_rows();
select results_eq(
  'select distinct a.action_taken, a.dlq_entry_uuid from tasker.detect_and_transition_stale_tasks() as a',
  $$ values ('would_transition_to_dlq_and_error', null::uuid) $$, 'a call without arguments is a dry run'
);
select is((select count(*) from tasker.detect_and_transition_stale_tasks(true)), 8::bigint, 'a dry run can be asked for');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
