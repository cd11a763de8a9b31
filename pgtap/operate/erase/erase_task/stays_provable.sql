begin;
select plan(10);

select tasker_test.freeze();
select tasker_test.create_waiting('all', '[
  {"name": "work"}, {"name": "more", "await": {"signal": "go", "when": "$.ok == true"}, "dependencies": ["work"]},
  {"name": "last", "dependencies": [{"step": "more", "when": "$.payload.ok == true"}]}
]');
select tasker_test.run_function();
select tasker_test.keep(1, 'call');
select tasker_test.finish('work', '{"a": 1}');
select tasker.send_signal(tasker_test.the_task(), 'go', '{"ok": true}', 'key');
select tasker_test.run('last');
select is((select t.state::text from tasker.tasks as t), 'complete', 'the run has ended');
select is_empty($$ select tasker.check_integrity() $$, 'nothing is wrong before the erasure');
create temporary table before as
  select t.state, t.requested_at, t.started_at, t.completed_at, t.total_steps, t.transition_count, t.updated_at from tasker.tasks as t;
create temporary table logs as
  select l.task_uuid, l.step_no, l.sort_key, l.path, l.created_at, l.login, l.claim_no, l.execution_time_ms from tasker.step_log as l;
select from tasker.erase_task(tasker_test.the_task(), 'asked for');
select is_empty($$ select tasker.check_integrity() $$, 'nothing is wrong after it');
select results_eq(
  $$ select t.state, t.requested_at, t.started_at, t.completed_at, t.total_steps, t.transition_count, t.updated_at from tasker.tasks as t $$, 'table before',
  'the states, times and counts of the task stay'
);
select results_eq(
  $$ select l.task_uuid, l.step_no, l.sort_key, l.path, l.created_at, l.login, l.claim_no, l.execution_time_ms from tasker.step_log as l order by 2, 3 $$,
  $$ select l.* from logs as l order by 2, 3 $$, 'so do the states and times of its steps'
);
select matches((select e.digest || e.remains from tasker.list_erasures() as e), '^[0-9a-f]{128}$', 'there is a digest of what was there, and of what is left');

savepoint clean;
alter table tasker.workflow_steps disable trigger user;
update tasker.workflow_steps set results = '{"a": 2}' where name = 'work';
alter table tasker.workflow_steps enable trigger user;
select results_eq(
  $$ select p.problem from tasker.check_integrity() as p where p.task_uuid is not null $$, $$ values ('is not as its erasure left it') $$,
  'a result that was put into an erased run is found'
);
rollback to clean;
alter table tasker.tasks disable trigger user;
update tasker.tasks set erased_at = null;
alter table tasker.tasks enable trigger user;
select results_eq(
  $$ select p.problem from tasker.check_integrity() as p where p.task_uuid is not null $$, $$ values ('has an erasure, and its data is there') $$,
  'an erased run that says it was not is found'
);
rollback to clean;
select tasker_test.create_task();
select tasker_test.claim('top');
select tasker_test.finish('top', '{"a": 1}');
alter table tasker.tasks disable trigger user;
update tasker.tasks set erased_at = now() where task_uuid = tasker_test.the_task();
alter table tasker.tasks enable trigger user;
select results_eq(
  $$ select p.problem from tasker.check_integrity() as p where p.task_uuid is not null $$, $$ values ('says that it was erased, and no erasure is recorded') $$,
  'a run that only says it was erased is found'
);
alter table tasker.erasures disable trigger user;
insert into tasker.erasures (task_uuid, namespace, root_uuid, erased_at, erased_by, reason, steps, digest, remains)
values (tasker_test.the_task(), 'test', tasker_test.the_task(), now(), 'x', 'x', 4, repeat('0', 64), tasker.run_digest(tasker_test.the_task()));
alter table tasker.erasures enable trigger user;
select ok(
  exists (select from tasker.check_integrity() as p where p.problem like 'has "%", which the log of administration does not have'),
  'an erasure that was put there by hand is found'
);

select * from finish();
rollback;
