begin;
select plan(6);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

set local role tasker_operator;
select ok(tasker.end_session(:'session', 'bea', 'she has left'), 'end_session returns true for a session');
select ok(not tasker.end_session(:'session'), 'end_session returns false for an ended one');
select throws_ok($$ select tasker.end_session(null) $$, 'TK404', 'session null does not exist', 'null is refused');
select throws_ok($$ select tasker.end_session('11111111-1111-4111-8111-111111111111') $$, 'TK404', 'session 11111111-1111-4111-8111-111111111111 does not exist', 'an unknown session is refused');
select results_eq($$ select s.status, s.ended_at, s.ended_by from tasker.list_sessions(true) as s $$, $$ values ('ended', tasker.clock(), 'bea') $$, 'the session says who ended it');
set local tasker.namespaces = 'shop';
select throws_ok(format('select tasker.end_session(%L)', :'session'), 'TK403', 'role "tasker_operator" may not make calls that concern all namespaces', 'a bound caller is refused');

select * from finish();
rollback;
