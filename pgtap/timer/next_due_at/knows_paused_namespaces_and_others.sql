begin;
select plan(7);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "shop", "name": "one", "steps": [{"name": "a"}]}');
select tasker.register_namespace('bank');
select from tasker.create_task('shop', 'one', '{}');
select is(tasker.next_due_at('{shop}'), tasker.clock(), 'a step is ready there');
select is(tasker.next_due_at('{shop,bank}'), tasker.clock(), 'or in one of two');
select is(tasker.next_due_at('{bank}'), null, 'not in the other one');
select is(tasker.next_due_at('{}'), null, 'nor in none');
select tasker.pause_namespace('shop');
select is(tasker.next_due_at('{shop}'), null, 'paused, there is nothing to do');
select throws_ok($$ select tasker.next_due_at('{nowhere}') $$, 'TK404', 'namespace "nowhere" does not exist', 'no such namespace');
select throws_ok($$ select tasker.next_due_at(array[null]) $$, 'TK404', 'namespace null does not exist', 'null');

select * from finish();
rollback;
