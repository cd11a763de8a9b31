begin;
select plan(7);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "shop", "name": "one", "steps": [{"name": "a"}]}');
select tasker.register_namespace('bank');
select from tasker.create_task('shop', 'one', '{}');
select is(tasker.next_due_at('{shop}'), tasker.clock(), 'a namespace with a ready step has something to do now');
select is(tasker.next_due_at('{shop,bank}'), tasker.clock(), 'one of two namespaces with a ready step has something to do now');
select is(tasker.next_due_at('{bank}'), null, 'a namespace without steps has nothing to do');
select is(tasker.next_due_at('{}'), null, 'no namespace has nothing to do');
select tasker.pause_namespace('shop');
select is(tasker.next_due_at('{shop}'), null, 'a paused namespace has nothing to do');
select throws_ok($$ select tasker.next_due_at('{nowhere}') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused');
select throws_ok($$ select tasker.next_due_at(array[null]) $$, 'TK404', 'namespace null does not exist', 'a null namespace is refused');

select * from finish();
rollback;
