begin;
select plan(2);

select tasker_test.take_turn();

select tasker_test.register_diamond();
select is_empty($$ select tasker.create_tasks('test', 'diamond', '{}') $$, 'an empty list creates no task');
select throws_ok($$ select tasker.create_tasks('test', 'diamond', null) $$, 'TK422', 'contexts, keys and UUIDs for tasks of template "test/diamond" do not match', 'a null list is refused');

select * from finish();
rollback;
