begin;
select plan(12);

select tasker_test.take_turn();

select throws_ok($$ select tasker.register_namespace(null) $$, 'TK422', 'null is not a valid namespace name', 'null');
select throws_ok($$ select tasker.register_namespace('') $$, 'TK422', '"" is not a valid namespace name', 'nothing');
select throws_ok($$ select tasker.register_namespace('Pay') $$, 'TK422', '"Pay" is not a valid namespace name', 'a capital');
select throws_ok($$ select tasker.register_namespace('pay-ments') $$, 'TK422', '"pay-ments" is not a valid namespace name', 'a hyphen');
select throws_ok($$ select tasker.register_namespace(E'pay\n') $$, 'TK422', E'"pay\n" is not a valid namespace name', 'a line break');
select lives_ok($$ select tasker.register_namespace(repeat('a', 29)) $$, '29 characters are allowed');
select throws_ok(
  $$ select tasker.register_namespace(repeat('a', 30)) $$,
  'TK422', format('"%s" is not a valid namespace name', repeat('a', 30)), '30 are not'
);
select throws_ok($$ select tasker.register_namespace(repeat('a', 1000000)) $$, 'TK422', '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is not a valid namespace name', 'nor are a million');
select throws_ok(
  $$ select tasker.register_namespace('shipping', p_result_mode => 'later') $$,
  'TK422', 'namespace "shipping" cannot be registered with these values', 'an unknown result mode'
);
select throws_ok(
  $$ select tasker.register_namespace('shipping', p_priority_modifier => 'NaN') $$,
  'TK422', 'namespace "shipping" cannot be registered with these values', 'a modifier that is not a number'
);
select throws_ok(
  $$ select tasker.register_namespace('shipping', p_notify => 'sometimes') $$,
  'TK422', 'namespace "shipping" cannot be registered with these values', 'an unknown way to notify'
);
select is_empty($$ select from tasker.task_namespaces as n where n.name = 'shipping' $$, 'nothing is left behind');

select * from finish();
rollback;
