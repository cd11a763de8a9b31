begin;
select plan(10);

select throws_ok($$ select tasker.reset_tasks(null) $$, 'TK422', 'the reason is missing', 'no reason');
select throws_ok($$ select tasker.reset_tasks('  ') $$, 'TK422', 'the reason is missing', 'blanks');
select throws_ok($$ select tasker.reset_tasks(repeat('x', 1001)) $$, 'TK413', 'the reason is longer than 1000 characters', 'a long one');
select throws_ok($$ select tasker.reset_tasks('x', p_state => 'complete') $$, 'TK422', 'tasks that are "complete" cannot be reset', 'tasks that are done');
select throws_ok($$ select tasker.reset_tasks('x', p_state => null) $$, 'TK422', 'tasks that are null cannot be reset', 'tasks in any state');
select throws_ok($$ select tasker.reset_tasks('x', p_limit => 0) $$, 'TK422', 'a batch of 0 is not possible', 'a batch of none');
select throws_ok($$ select tasker.reset_tasks('x', p_limit => 1001) $$, 'TK422', 'a batch of 1001 is not possible', 'a batch without end');
select throws_ok($$ select tasker.reset_tasks('x', p_limit => null) $$, 'TK422', 'a batch of null is not possible', 'an unknown one');
select throws_ok($$ select tasker.reset_tasks('x', p_dry_run => null) $$, 'TK422', 'dry run is null', 'neither done nor only found');

create role tap_bound in role tasker_operator;
select tasker.register_namespace('shop');
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
set local role tap_bound;
select throws_ok(
  $$ select tasker.reset_tasks('x', p_namespace => 'shop') $$, 'TK403', 'role "tap_bound" may not work in namespace "shop"', 'another team''s namespace'
);
reset role;

select * from finish();
rollback;
