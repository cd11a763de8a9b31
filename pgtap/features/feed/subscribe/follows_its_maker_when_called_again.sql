begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_namespace('shop');
create role tap_shop login in role tasker_operator;
select tasker.bind_role('tap_shop', '{shop}');
set session authorization tap_shop;
select tasker.subscribe('shop_feed');
reset session authorization;
select tasker.bind_role('tap_shop', null);
select is((select s.namespaces from tasker.list_subscriptions('shop_feed') as s), '{shop}', 'a subscription keeps the namespaces of its maker after the role was unbound');
set session authorization tap_shop;
select is((select s.namespaces is null from tasker.subscribe('shop_feed') as s), true, 'subscribe gives it those that the role may work in now');
reset session authorization;
select is(
  (select count(*) from tasker.list_administration('subscriptions', 'shop_feed')), 2::bigint, 'it is the same subscription, which was changed once'
);

select * from finish();
rollback;
