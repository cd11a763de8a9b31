begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker.create_dlq_entry(tasker_test.the_task(), 'manual_dlq');
create role tap_bound in role tasker_operator;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
set local role tap_bound;
select is_empty($$ select from tasker.requeue_dlq_entries('x') $$, 'a bound role finds no entry of another namespace');
select throws_ok(
  $$ select tasker.requeue_dlq_entries('x', p_namespace => 'test') $$, 'TK403', 'role "tap_bound" may not work in namespace "test"', 'a bound role may not name another namespace'
);
reset role;

select * from finish();
rollback;
