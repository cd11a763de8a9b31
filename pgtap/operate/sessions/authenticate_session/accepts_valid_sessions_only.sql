begin;
select plan(9);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

set local role tasker_server;
select is((select s.status from tasker.authenticate_session(sha256('secret')) as s), 'valid', 'a valid session is accepted');
select throws_ok($$ select tasker.authenticate_session('secret') $$, 'TK401', 'the session is not known', 'the secret instead of its hash is refused');
select throws_ok($$ select tasker.authenticate_session(null) $$, 'TK401', 'the session is not known', 'a null hash is refused');
reset role;
select tasker.unmap_access('groups', 'shop-ops');
select is((select s.role_name from tasker.authenticate_session(sha256('secret')) as s), 'tasker_reader', 'a session has what the maps give now');
select tasker.unmap_access('groups', 'staff');
select throws_ok($$ select tasker.authenticate_session(sha256('secret')) $$, 'TK403', 'person ann@corp.example (248) has no access: no access map fits', 'without a map the session has no access');
select tasker.map_access('groups', 'staff');
select tasker_test.freeze(tasker.clock() + interval '119 minutes');
select ok((select s.refresh_due from tasker.authenticate_session(sha256('secret')) as s), 'the refresh is due');
select tasker_test.freeze(tasker.clock() + interval '1 minute');
select throws_ok($$ select tasker.authenticate_session(sha256('secret')) $$, 'TK401', 'the session has expired: it was idle for too long', 'an idle session is refused');
update tasker.access_sessions set seen_at = tasker.clock() + interval '10 hours';
select tasker_test.freeze(tasker.clock() + interval '10 hours');
select throws_ok($$ select tasker.authenticate_session(sha256('secret')) $$, 'TK401', 'the session has expired', 'a busy session ends, too');
select tasker.sign_out(sha256('secret'));
select throws_ok($$ select tasker.authenticate_session(sha256('secret')) $$, 'TK401', 'the session has ended', 'an ended session is refused');

select * from finish();
rollback;
