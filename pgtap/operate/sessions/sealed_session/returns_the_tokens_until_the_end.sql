begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

set local role tasker_server;
select is(tasker.sealed_session(sha256('secret')), 'sealed'::bytea, 'the encrypted tokens are returned');
select ok(tasker.sealed_session(sha256('other')) is null, 'an unknown session has none');
select tasker.sign_out(sha256('secret'));
select ok(tasker.sealed_session(sha256('secret')) is null, 'an ended session has none');

select * from finish();
rollback;
