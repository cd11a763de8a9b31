begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.register('one', 'charge');
select tasker_test.register('two', 'mail');
select tasker.register_namespace('elsewhere');
select tasker.register_task_template('{"namespace": "elsewhere", "name": "one", "version": "1", "steps": [{"name": "charge"}]}');
select tasker_test.launch('one');
select tasker_test.launch('two');
select from tasker.create_task('elsewhere', 'one', '{}');
select tasker.pause_handler('test', 'charge');

select results_eq(
  $$ select c.namespace, c.name from tasker.claim_steps(null, tasker_test.worker(), 10) as c order by 1, 2 $$,
  $$ values ('elsewhere', 'charge'), ('test', 'mail') $$, 'only the handler in the namespace is skipped'
);
select isnt(tasker.next_due_at('{test}', p_later => true), tasker.clock(), 'nothing is due now');
select results_eq(
  $$ select s.paused_handlers = array(select 'test/' || h.named_step_uuid from tasker.named_steps as h where h.name = 'charge') from tasker.settings_now as s $$,
  'values (true)', 'claims read it from the row that they read anyway'
);
select tasker.resume_handler('test', 'charge');
select results_eq($$ select s.paused_handlers from tasker.settings_now as s $$, $$ values ('{}'::text[]) $$, 'and nothing is left of it');
select is_empty($$ select from tasker.list_handler_pauses() $$, 'the list is empty');
select lives_ok($$ select from tasker.claim_steps('{test}', tasker_test.worker(), 10) $$, 'claims go on');

select * from finish();
rollback;
