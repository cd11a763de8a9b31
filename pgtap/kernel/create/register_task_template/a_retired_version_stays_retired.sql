begin;
select plan(2);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "shipping", "name": "order", "steps": []}');
select tasker.retire_task_template('shipping', 'order', '0.1.0');
select isnt(
  (select r.retired_at from tasker.register_task_template('{"namespace": "shipping", "name": "order", "steps": []}') as r),
  null, 'a second registration does not undo the retirement'
);
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "shipping", "name": "order", "steps": [{"name": "a"}]}') $$,
  'TK409', 'template "shipping/order" version "0.1.0" is registered with other content', 'the version cannot be registered with other content'
);

select * from finish();
rollback;
