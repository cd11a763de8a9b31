begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register_as('order', '{}', 'charge');
select tasker.register_task_template('{"namespace": "test", "name": "trip", "identity_strategy": "always_unique", "steps": [
  {"name": "book", "compensate": "unbook"}, {"name": "pay", "dependencies": ["book"]}]}');
select tasker_test.launch('trip');
select tasker_test.claim(10);
select tasker_test.complete('book');
select results_eq(
  $$ select c.name, c.outcome from tasker.cancel_tasks('sold out', p_name => 'trip') as c $$, $$ values ('trip', 'undoing') $$,
  'a task that has something to undo is undone first'
);
select results_eq(
  $$ select c.name, c.outcome from tasker.cancel_tasks('sold out', p_name => 'trip') as c $$, $$ values ('trip', 'ended') $$,
  'a task that is being undone is not cancelled again'
);

select tasker_test.launch('order') from generate_series(1, 3);
select s.selection_uuid as set from tasker.create_selection('tasks', '{"namespace": "test", "name": "order"}') as s \gset
select tasker_test.launch('order');
select is(
  (select array_agg(c.outcome) from tasker.cancel_tasks('sold out', p_selection_uuid => :'set', p_limit => 2) as c), '{cancelled,cancelled}',
  'a selection is cancelled in batches, too'
);
select is(
  (select array_agg(c.outcome) from tasker.cancel_tasks('sold out', p_selection_uuid => :'set') as c), '{cancelled}',
  'the rest of a selection is cancelled, but no later task'
);
select is((select count(*) from tasker.tasks as t where not t.complete), 2::bigint, 'the task that came later and the task that is undone are open');
select throws_ok(
  format($$ select from tasker.cancel_tasks('x', 'test', p_selection_uuid => %L) $$, :'set'), 'TK422',
  'tasks of a selection, or tasks that match filters: both are given', 'a selection takes no further filter'
);
select throws_ok(
  format($$ select from tasker.retry_steps('x', p_selection_uuid => %L) $$, :'set'), 'TK422',
  format('selection %s has tasks, not steps', :'set'), 'a selection of another kind is refused'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
