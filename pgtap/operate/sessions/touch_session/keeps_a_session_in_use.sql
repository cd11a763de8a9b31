begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

select tasker_test.freeze(tasker.clock() + interval '1 minute');
select ok((select s.touch_due from tasker.authenticate_session(sha256('secret')) as s), 'a use is to be noted once a minute');
select ok(tasker.touch_session(sha256('secret')), 'it is noted');
select results_eq($$ select s.seen_at, s.touch_due from tasker.authenticate_session(sha256('secret')) as s $$, $$ values (tasker.clock(), false) $$, 'the session was seen now');
select ok(not tasker.touch_session(sha256('other')), 'an unknown session is not noted');

select * from finish();
rollback;
