begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

select tasker.open_session(sha256('b'), sha256('b'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}');
select tasker.open_session(sha256('c'), sha256('c'), '{"iss": "i", "sub": "other", "groups": "staff"}');
set local role tasker_operator;
select is(tasker.end_sessions('ann@corp.example'), 2, 'by the address');
select is(tasker.end_sessions('other'), 1, 'or by the subject');
select is(tasker.end_sessions('other'), 0, 'ended sessions do not count');
select throws_ok($$ select tasker.end_sessions(null) $$, 'TK422', 'the person is missing', 'null is refused');

select * from finish();
rollback;
