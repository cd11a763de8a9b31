begin;
select plan(6);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "shipping", "name": "order", "version": "2.0.0", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "shipping", "name": "order", "version": "1.0.0", "description": "Later.", "steps": [{"name": "a"}, {"name": "b"}]}');

select results_eq(
  $$ select t.version, t.step_count from tasker.get_task_template('shipping', 'order') as t $$,
  $$ values ('1.0.0', 2) $$, 'the newest version is the one registered last'
);
select results_eq(
  $$ select t.version, t.step_count, t.retired_at from tasker.get_task_template('shipping', 'order', '2.0.0') as t $$,
  $$ values ('2.0.0', 1, null::timestamptz) $$, 'a given version is returned'
);
select tasker.retire_task_template('shipping', 'order', '1.0.0');
select results_eq(
  $$ select t.version from tasker.get_task_template('shipping', 'order') as t $$,
  $$ values ('2.0.0') $$, 'a retired version is not the newest'
);
select results_eq(
  $$ select t.version, t.retired_at is null from tasker.get_task_template('shipping', 'order', '1.0.0') as t $$,
  $$ values ('1.0.0', false) $$, 'a retired version can be named'
);
select is(
  (select t.template #>> '{steps,0,handler}' from tasker.get_task_template('shipping', 'order') as t), 'a',
  'the template is complete'
);
select is(
  (select t.content_hash from tasker.get_task_template('shipping', 'order') as t),
  (select sha256(convert_to(t.template::text, 'UTF8')) from tasker.get_task_template('shipping', 'order') as t),
  'its hash is the digest of its normal form'
);

select * from finish();
rollback;
