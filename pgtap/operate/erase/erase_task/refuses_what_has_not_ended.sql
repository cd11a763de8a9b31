begin;
select plan(15);

select tasker_test.freeze();
select tasker_test.create_task();
prepare erase as select e.outcome from tasker.erase_task(tasker_test.the_task(), 'asked for') as e;
select throws_like('execute erase', format('task %s cannot be erased: it is %% and has not ended', tasker_test.the_task()), 'an open task is refused');
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');
select throws_like('execute erase', format('task %s cannot be erased: it is blocked_by_failures and has not ended', tasker_test.the_task()), 'so is a blocked one');
select tasker.give_up_task(tasker_test.the_task());
insert into tasker.timers (task_uuid, kind, due_at) values (tasker_test.the_task(), 'child_ended', now());
select throws_ok(
  'execute erase', 'TK409', format('task %s cannot be erased: the engine has yet to do something for it', tasker_test.the_task()),
  'so is one whose end its parent does not know yet'
);
delete from tasker.timers;
select throws_ok($$ select tasker.erase_task(tasker_test.the_task(), ' ') $$, 'TK422', 'the reason is missing', 'a reason is needed');
select throws_ok($$ select tasker.erase_task(tasker_test.the_task(), null) $$, 'TK422', 'the reason is missing', 'null is none');
select throws_ok(
  $$ select tasker.erase_task('01980000-0000-7000-8000-000000000000', 'x') $$, 'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);
create temporary table made as
  select s.selection_uuid from tasker.create_selection('tasks', '{}', p_ids => array[tasker_test.the_task()]) as s;
select from made, tasker.start_mass_action(made.selection_uuid, 'reset', 1, 'test');
select throws_ok('execute erase', 'TK409', format('task %s cannot be erased: a mass action on it is running', tasker_test.the_task()), 'so is one that a mass action will reset');
select from made, tasker.stop_mass_action(made.selection_uuid, 'x');
select results_eq('execute erase', $$ values ('erased') $$, 'a task that has ended is erased');
select results_eq('execute erase', $$ values ('already') $$, 'a second call finds it erased');
select is((select count(*) from tasker.administration_log as l where l.kind = 'erasures'), 1::bigint, 'and writes no entry');
select throws_ok(
  $$ select tasker.reset_task(tasker_test.the_task()) $$, 'TK409', format('task %s was erased and cannot run again', tasker_test.the_task()), 'an erased task is not reset'
);
select is_empty($$ select tasker.reset_tasks('x', p_state => 'error') $$, 'nor found by a reset of many');
select throws_ok(
  $$ select tasker.fork_task(tasker_test.the_task(), 'top') $$, 'TK409', format('task %s was erased and cannot run again', tasker_test.the_task()), 'nor forked'
);
select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('top'), 'x') $$, 'TK409', format('task %s was erased and cannot run again', tasker_test.the_task()), 'nor does a step of it run again'
);
select throws_like(
  $$ select tasker.retry_step(tasker_test.the_step('top')) $$, '%its task error: event Retry does not apply', 'nor is a step of it retried'
);

select * from finish();
rollback;
