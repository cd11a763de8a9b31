begin;
select plan(7);

select tasker_test.take_turn();

select throws_ok($$ select tasker.get_task_template('nowhere', 'order') $$, 'TK404', 'template "nowhere/order" does not exist', 'an unknown namespace is refused');
select tasker.register_task_template('{"namespace": "shipping", "name": "order", "version": "2", "steps": []}');
select throws_ok($$ select tasker.get_task_template('shipping', 'ordr') $$, 'TK404', 'template "shipping/ordr" does not exist', 'an unknown name is refused');
select throws_ok($$ select tasker.get_task_template('shipping', 'order', '3') $$, 'TK404', 'template "shipping/order" version "3" does not exist', 'an unknown version is refused');
select throws_ok($$ select tasker.get_task_template(null, 'order') $$, 'TK404', 'the namespace of the template is null', 'a null namespace is refused');
select throws_ok($$ select tasker.get_task_template('shipping', repeat('x', 1000000)) $$, 'TK404', 'template "shipping/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" does not exist', 'a name that is too long is refused');
select tasker.retire_task_template('shipping', 'order', '2');
select throws_ok($$ select tasker.get_task_template('shipping', 'order') $$, 'TK410', 'every version of template "shipping/order" is retired', 'a template whose versions are all retired is refused');
select throws_ok($$ select tasker.get_task_template('shipping', 'order', '') $$, 'TK404', 'template "shipping/order" version "" does not exist', 'an empty version is refused, not taken for null');

select * from finish();
rollback;
