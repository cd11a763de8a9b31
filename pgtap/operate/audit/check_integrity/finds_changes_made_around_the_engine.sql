begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.make_task_in(s::text) from unnest(enum_range(null::tasker.task_state)) as s;
select tasker_test.make_task_with_steps_in_every_state();
select tasker_test.make_task_in('complete');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing before a change');

prepare problems as select p.object, p.step_no, p.sort_key, p.problem from tasker.check_integrity() as p;
create function pg_temp.altered(p_sql text) returns setof text language plpgsql as $$
begin
  begin
    alter table tasker.task_log disable trigger user;
    alter table tasker.step_log disable trigger user;
    execute p_sql;
    alter table tasker.task_log enable always trigger task_log_append_only, enable always trigger task_log_no_truncate;
    alter table tasker.step_log
      enable always trigger step_log_append_only, enable always trigger step_log_no_truncate;
    return query select format('%s: %s', p.object, p.problem) from tasker.check_integrity() as p;
    raise exception 'undo';
  exception when raise_exception then
    null;
  end;
end;
$$;
select set_eq(
  $$ select pg_temp.altered('delete from tasker.step_log as l where l.task_uuid = tasker_test.the_task() and l.step_no = 1 and l.sort_key = 2') $$,
  array['workflow_step_transition_log: starts from in_progress, but the transition before it ended in enqueued',
        'workflow_step_transition_log: starts from enqueued_for_orchestration, but the transition before it ended in enqueued_for_orchestration',
        'workflow_steps: has 1 attempts; its log has 0', format('workflow_steps: was claimed by the login %s; its log has no claim', session_user)],
  'a transition deleted from the middle of a log is reported'
);
select results_eq(
  $$ select pg_temp.altered('delete from tasker.task_log as l using tasker.tasks as t where t.task_uuid = tasker_test.the_task() and l.task_uuid = t.task_uuid and l.sort_key = t.transition_count') $$,
  $$ select format('tasks: is complete after %s transitions, but its log ends in no state', t.transition_count) from tasker.tasks as t where t.task_uuid = tasker_test.the_task() $$,
  'a deleted last transition is reported'
);
select results_eq(
  $$ select pg_temp.altered('update tasker.tasks as t set state = ''cancelled'' where t.task_uuid = tasker_test.the_task()') $$,
  $$ select format('tasks: is cancelled after %s transitions, but its log ends in complete', t.transition_count) from tasker.tasks as t where t.task_uuid = tasker_test.the_task() $$,
  'a state without its transition is reported'
);
alter table tasker.task_log disable trigger task_log_no_truncate;
select set_has(
  'problems', $$ values ('task_log', null::integer, null::integer, 'lacks the enabled trigger task_log_no_truncate') $$, 'a disabled guard is reported'
);
alter table tasker.task_log enable always trigger task_log_no_truncate;
select is_empty('problems', 'check_integrity finds nothing after the guard is enabled again');
select is_empty('select from tasker.check_integrity(tasker.clock() + $$1 day$$)', 'check_integrity finds nothing in a later period');

select * from finish();
rollback;
