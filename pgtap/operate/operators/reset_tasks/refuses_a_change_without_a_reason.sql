begin;
select plan(7);

select throws_ok($$ select tasker.reset_tasks(null) $$, 'TK422', 'the reason is missing', 'a null reason is refused');
select throws_ok($$ select tasker.reset_tasks('  ') $$, 'TK422', 'the reason is missing', 'a blank reason is refused');
select throws_ok($$ select tasker.reset_tasks(repeat('x', 1001)) $$, 'TK413', 'the reason is longer than 1000 characters', 'a reason that is too long is refused');
select throws_ok($$ select tasker.reset_tasks('x', p_state => 'complete') $$, 'TK422', 'tasks that are "complete" cannot be reset', 'complete tasks are refused');
select throws_ok($$ select tasker.reset_tasks('x', p_limit => 0) $$, 'TK422', 'a batch of 0 is not possible', 'a batch of zero is refused');
select throws_ok($$ select tasker.reset_tasks('x', p_limit => 1001) $$, 'TK422', 'a batch of 1001 is not possible', 'a batch that is too large is refused');

create role tap_bound in role tasker_operator;
select tasker.register_namespace('shop');
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
set local role tap_bound;
select throws_ok(
  $$ select tasker.reset_tasks('x', p_namespace => 'shop') $$, 'TK403', 'role "tap_bound" may not work in namespace "shop"', 'a namespace that the caller is not bound to is refused'
);
reset role;

select * from finish();
rollback;
