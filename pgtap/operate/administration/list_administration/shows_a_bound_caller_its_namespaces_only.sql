begin;
select plan(5);

select tasker_test.freeze();
select from tasker.register_namespace('shop');
select from tasker.register_namespace('bank');
create role tap_shop login in role tasker_operator;
create role tap_reader login in role tasker_reader;
select tasker.set_limit('shop', 'a', 1);
select tasker.set_limit('bank', 'b', 1);
select tasker.set_setting('max_attempts', '7');
select from tasker.create_token('all', sha256('x'), 'tasker_reader', '{*}');
select from tasker.create_token('one', sha256('y'), 'tasker_reader', '{shop}');
select from tasker.subscribe('everything');
select from tasker.subscribe('both', '{"namespaces": ["shop", "bank"]}');
select from tasker.subscribe('shop_own', '{"namespaces": ["bank"]}', '{"webhook": {"url": "https://hooks.example/secret"}}');
select from tasker.subscribe('shop_own', '{"namespaces": ["shop"]}', '{"webhook": {"url": "https://hooks.example/secret"}}');
select tasker.unsubscribe('shop_own');
select tasker.bind_role('tap_shop', '{shop}');

set session authorization tap_shop;
select results_eq(
  $$ select l.kind, l.object, l.action from tasker.list_administration() as l where l.action <> 'update' order by l.entry_no $$,
  $$ values ('task_namespaces', 'shop', 'insert'), ('limits', 'shop/a', 'insert'), ('access_tokens', 'one', 'insert'),
            ('subscriptions', 'shop_own', 'delete'), ('role_bindings', 'tap_shop/shop', 'insert') $$,
  'a bound caller sees what concerns its namespaces only'
);
reset session authorization;
select is(
  (select count(*) from tasker.list_administration('subscriptions', 'shop_own')), 3::bigint, 'an unbound one sees all'
);
select is(
  (select l.was #>> '{target,webhook,url}' from tasker.list_administration('subscriptions', 'shop_own', p_limit => 1) as l),
  'https://hooks.example/secret', 'an operator sees the URL of a webhook'
);
set session authorization tap_reader;
select is(
  (select l.was #>> '{target,webhook,url}' from tasker.list_administration('subscriptions', 'shop_own', p_limit => 1) as l),
  'https://hooks.example/…', 'a reader sees its host'
);
select is(
  (select array_agg(l.entry_no order by l.entry_no) from tasker.list_administration(p_before => (select min(m.entry_no) + 2 from tasker.list_administration(p_limit => 10000) as m)) as l),
  (select array_agg(l.entry_no order by l.entry_no) from (select m.entry_no from tasker.list_administration(p_limit => 10000) as m order by 1 limit 2) as l),
  'p_before goes on from an entry'
);

select * from finish();
rollback;
