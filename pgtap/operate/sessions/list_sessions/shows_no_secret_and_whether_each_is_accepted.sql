begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

set local role tasker_operator;
select results_eq(
  $$ select s.status, s.person, s.issuer, s.role_name from tasker.list_sessions() as s $$,
  $$ values ('valid', 'person ann@corp.example (248)', 'https://id.example', 'tasker_operator') $$, 'the session is listed'
);
select tasker.end_session(:'session');
select is_empty($$ select from tasker.list_sessions() $$, 'an ended session is not listed');
set local tasker.namespaces = 'shop';
select throws_ok($$ select tasker.list_sessions() $$, 'TK403', 'role "tasker_operator" may not make calls that concern all namespaces', 'a bound caller is refused');

select * from finish();
rollback;
