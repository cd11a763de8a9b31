begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

set local role tasker_server;
select ok(tasker.sign_out(sha256('secret')), 'sign_out returns true for a session');
select ok(not tasker.sign_out(sha256('secret')), 'sign_out returns false for an ended one');
reset role;
select results_eq($$ select s.status, s.ended_by from tasker.list_sessions(true) as s $$, $$ values ('ended', 'person ann@corp.example (248)') $$, 'the person ended it');
select ok((select s.sealed is null from tasker.access_sessions as s), 'the encrypted tokens are deleted');

select * from finish();
rollback;
