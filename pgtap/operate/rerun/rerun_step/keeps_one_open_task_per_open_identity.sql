begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.take_turn();
select tasker.register_task_template('{"namespace": "test", "name": "one", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
create temporary table made as select c.task_uuid as old from tasker.create_task('test', 'one', p_identity_key => 'k', p_identity_scope => 'open') as c;
select set_config('tasker_test.task', (select m.old::text from made as m), true);
select tasker_test.run('a');
alter table made add new uuid;
update made set new = (select c.task_uuid from tasker.create_task('test', 'one', p_identity_key => 'k', p_identity_scope => 'open') as c);
select ok((select m.old <> m.new from made as m), 'another task has the identity, since the first is complete');
select throws_ok(
  $$ select tasker.rerun_step(tasker_test.the_step('a'), 'wrong') $$, 'TK409',
  (select format('task %s cannot run again: task %s has its identity and is open', m.old, m.new) from made as m),
  'the first does not run again while the other is open'
);
select tasker.cancel_task((select m.new from made as m));
select ok(tasker.rerun_step(tasker_test.the_step('a'), 'wrong'), 'it does when the other has ended');
select is(
  (select c.task_uuid from tasker.create_task('test', 'one', p_identity_key => 'k', p_identity_scope => 'open') as c), (select m.old from made as m),
  'and has its identity again'
);
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
