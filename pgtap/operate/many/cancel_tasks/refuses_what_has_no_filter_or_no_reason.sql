begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.create_task();
select throws_ok($$ select from tasker.cancel_tasks(' ', 'test') $$, 'TK422', 'the reason is missing', 'a reason is required');
select throws_ok(
  $$ select from tasker.cancel_tasks('x') $$, 'TK422', 'tasks of a selection, or tasks that match filters: neither is given',
  'a filter is required, too'
);
select throws_ok(
  $$ select from tasker.cancel_tasks('x', 'test', p_state => 'complete') $$, 'TK422', 'tasks that are "complete" cannot be cancelled',
  'the state of an ended task is refused'
);
select throws_ok($$ select from tasker.cancel_tasks('x', 'test', p_limit => 1001) $$, 'TK422', 'a batch of 1001 is not possible', 'a batch is bounded');
select throws_ok(
  $$ select from tasker.cancel_tasks('x', p_selection_uuid => '00000000-0000-0000-0000-000000000001') $$, 'TK404',
  'there is no selection 00000000-0000-0000-0000-000000000001', 'an unknown selection is refused'
);
create role tap_bound in role tasker_operator;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
set local role tap_bound;
select is_empty($$ select from tasker.cancel_tasks('x', p_name => 'diamond') $$, 'a bound role finds no task of another namespace');
reset role;
select is((select count(*) from tasker.tasks as t where not t.complete), 1::bigint, 'the task of the other namespace is unchanged');

select * from finish();
rollback;
