begin;
select plan(6);

select tasker_test.freeze('2026-06-01 12:00Z');

select tasker.register_task_template('{"namespace": "shipping", "name": "order", "version": "1", "steps": []}');
select tasker.register_task_template('{"namespace": "shipping", "name": "order", "version": "2", "steps": []}');

select ok(tasker.retire_task_template('shipping', 'order', '1'), 'the first call returns true');
select tasker_test.pass('1 hour');
select ok(not tasker.retire_task_template('shipping', 'order', '1'), 'the second call returns false');
select results_eq(
  $$ select k.version, k.retired_at from tasker.named_tasks as k where k.name = 'order' order by k.version $$,
  $$ values ('1', '2026-06-01 12:00Z'::timestamptz), ('2', null) $$, 'the time is that of the first call, and other versions are not retired'
);
select throws_ok($$ select tasker.retire_task_template('shipping', 'order', '3') $$, 'TK404', 'template "shipping/order" version "3" does not exist', 'an unknown version is refused');
select throws_ok($$ select tasker.retire_task_template('shipping', 'order', null) $$, 'TK404', 'template "shipping/order" version "null" does not exist', 'a null version is refused');
select throws_ok($$ select tasker.retire_task_template(null, null, null) $$, 'TK404', 'the namespace of the template is null', 'null names are refused');

select * from finish();
rollback;
