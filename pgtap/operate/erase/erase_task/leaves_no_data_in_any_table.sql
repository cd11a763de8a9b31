-- A marker in every column of a run that a user can fill, found by the catalogue; after the erasure no table has it.
begin;
select plan(10);

select tasker_test.freeze();
select tasker_test.subscribe();
select tasker_test.create_waiting('all', '[{"name": "work", "retry": {"max_attempts": 1}}, {"name": "more", "await": {"signal": "go"}, "dependencies": ["work"]}]');
select tasker.add_steps(tasker_test.the_task(), '[{"name": "added", "dependencies": ["work"]}]');
select tasker.send_signal(tasker_test.the_task(), 'go', '{"a": 1}', 'key');
select tasker_test.run_function();
select tasker_test.keep(1, 'call');
select from tasker.append_items(tasker_test.the_step('work'), tasker_test.claim_no('work'), 'log', '["a"]');
select from tasker.set_value(tasker_test.the_step('work'), tasker_test.claim_no('work'), 'v', '1');
insert into tasker.task_attributes (task_uuid, attribute_no, step_no, text_value, changed_at) values (tasker_test.the_task(), 1, 0, 'x', now());
select tasker_test.fail_for_good('work');
select tasker_test.judge();
select tasker.create_dlq_entry(tasker_test.the_task(), 'manual_dlq', 'stuck');
create temporary table made as
  select s.selection_uuid from tasker.create_selection('tasks', '{}', p_ids => array[tasker_test.the_task()]) as s;
select from made, tasker.start_mass_action(made.selection_uuid, 'cancel', 1, 'test', p_at_once => true);
select tasker.cancel_task(tasker_test.the_task());
select tasker_test.mass();
delete from tasker.timers where task_uuid = tasker_test.the_task();
insert into tasker.dead_events (subscription, event_uuid, event, failures, error, died_at)
values ('all', gen_random_uuid(), jsonb_build_object('task_uuid', tasker_test.the_task()), 1, 'x', now());
insert into tasker.failed_timers (task_uuid, step_no, kind, due_at, code, error, failed_at)
values (tasker_test.the_task(), 1, 'retry_step', now(), 'XX000', 'x', now());
insert into tasker.feed_lists (subscription, list_no, last_key, finds)
select 'all', 1, row(now(), tasker_test.the_task(), 1, 1)::tasker.feed_keys,
       array[row(now(), tasker_test.the_task(), 1, 1, 'Start', null, null, null, null, 1, 1, null, 'a', 'b', '{}', false)::tasker.feed_finds];

select is_empty($$ select tasker_test.mark_run(tasker_test.the_task()) $$, 'every column of the run that a user can fill has the marker');
select set_eq(
  $$ select tasker_test.marked_tables() $$,
  $$ select distinct c.table_name::regclass::text from tasker_test.run_columns as c where c.table_name like 'tasker.%' $$,
  'the marker is found in each of their tables'
);
select results_eq(
  $$ select e.outcome from tasker.erase_task(tasker_test.the_task(), 'asked for', p_actor => 'ann') as e $$, $$ values ('erased') $$, 'the run is erased'
);
select is_empty($$ select tasker_test.marked_tables() $$, 'no table has the marker afterwards');
select is((select t.context || t.headers from tasker.get_task(tasker_test.the_task()) as t), '{"erased": true}', 'its context and headers say that they were erased');
select isnt((select t.erased_at from tasker.get_task(tasker_test.the_task()) as t), null, 'so does the task');
select results_eq(
  $$ select distinct s.last_error, s.results from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() $$,
  $$ values ('erased', '{"erased": true}'::jsonb) $$, 'so do its steps'
);
select is_empty($$ select k from tasker.kept_results as k $$, 'what its function has kept is gone');
select is_empty($$ select l.name from tasker.list_streams(tasker_test.the_task()) as l $$, 'its values and streams are gone');
select results_eq(
  $$ select l.actor, l.reason, l.call from tasker.administration_log as l where l.kind = 'erasures' $$, $$ values ('ann', 'asked for', 'erase_task') $$,
  'the log of administration has who and why'
);

select * from finish();
rollback;
