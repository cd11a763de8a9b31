begin;
select plan(2);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

select tasker.refresh_session(sha256('secret'), '{"iss": "https://id.example", "sub": "248", "groups": []}');
select throws_ok($$ select tasker.authenticate_session(sha256('secret')) $$, 'TK403', 'person 248 has no access: no access map fits', 'the session has no access');
select tasker_test.freeze(tasker.clock() + interval '15 minutes');
select ok((select s.refresh_due from tasker.authenticate_session(sha256('secret')) as s), 'and gets some again when the provider says so');

select * from finish();
rollback;
