begin;
select plan(12);

select tasker_test.take_turn();

select throws_ok($$ select tasker.register_namespace(null) $$, 'TK422', 'null is not a valid namespace name', 'a null name is refused');
select throws_ok($$ select tasker.register_namespace('') $$, 'TK422', '"" is not a valid namespace name', 'an empty name is refused');
select throws_ok($$ select tasker.register_namespace('Pay') $$, 'TK422', '"Pay" is not a valid namespace name', 'a name with a capital is refused');
select throws_ok($$ select tasker.register_namespace('pay-ments') $$, 'TK422', '"pay-ments" is not a valid namespace name', 'a name with a hyphen is refused');
select throws_ok($$ select tasker.register_namespace(E'pay\n') $$, 'TK422', E'"pay\n" is not a valid namespace name', 'a name with a line break is refused');
select lives_ok($$ select tasker.register_namespace(repeat('a', 29)) $$, 'a name of 29 characters is accepted');
select throws_ok(
  $$ select tasker.register_namespace(repeat('a', 30)) $$,
  'TK422', format('"%s" is not a valid namespace name', repeat('a', 30)), 'a name of 30 characters is refused'
);
select throws_ok($$ select tasker.register_namespace(repeat('a', 1000000)) $$, 'TK422', '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is not a valid namespace name', 'a name of a million characters is refused');
select throws_ok(
  $$ select tasker.register_namespace('shipping', p_transport => 'pigeon') $$,
  'TK422', 'namespace "shipping" cannot be registered with these values', 'an unknown transport is refused'
);
select throws_ok(
  $$ select tasker.register_namespace('shipping', p_priority_modifier => 'NaN') $$,
  'TK422', 'namespace "shipping" cannot be registered with these values', 'a priority modifier that is not a number is refused'
);
select throws_ok(
  $$ select tasker.register_namespace('shipping', p_notify => 'sometimes') $$,
  'TK422', 'namespace "shipping" cannot be registered with these values', 'an unknown value of p_notify is refused'
);
select is_empty($$ select from tasker.task_namespaces as n where n.name = 'shipping' $$, 'no namespace is left behind');

select * from finish();
rollback;
