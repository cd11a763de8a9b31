begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');

create role tap_web login noinherit in role tasker_server, tasker_operator;
set session authorization tap_web;
set local role tasker_server;
select throws_ok($$ select tasker.assume_person('{"iss": "proxy", "sub": "ann", "groups": ["other"]}') $$, 'TK403', 'person ann has no access: no access map fits', 'a person without a map gets in nowhere');
select is(
  (select p.value from tasker.assume_person('{"iss": "proxy", "sub": "ann", "groups": ["shop-ops"]}', now() - interval '1 day') as p), 'person ann', 'a server assumes a person'
);
select is(current_user::text || ' ' || tasker.bound_namespaces()::text, 'tasker_operator {shop}', 'with the role and the namespaces of the map');
select throws_ok($$ select tasker.check_recent_sign_in() $$, 'TK428', 'this cannot be undone, and the sign-in is too old for it', 'the proxy says how old the sign-in is');
reset session authorization;

select * from finish();
rollback;
