begin;
select plan(9);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

select tasker_test.freeze(tasker.clock() + interval '15 minutes');
select ok((select s.refresh_due from tasker.authenticate_session(sha256('secret')) as s), 'the refresh is due');
select ok(tasker.refresh_session(sha256('secret')), 'one request asks the provider');
select ok(not tasker.refresh_session(sha256('secret')), 'no other request does');
select results_eq(
  $$ select s.role_name, s.refresh_due, s.refresh_at from tasker.authenticate_session(sha256('secret')) as s $$,
  $$ values ('tasker_operator', false, tasker.clock() + interval '30 seconds') $$, 'the session keeps its rights for the moment'
);
select ok(tasker.refresh_session(sha256('secret'), '{"iss": "https://id.example", "sub": "248", "groups": ["staff"]}', 'new'), 'the provider answers');
select results_eq(
  $$ select s.role_name, s.person, s.refresh_at, tasker.sealed_session(sha256('secret')) from tasker.authenticate_session(sha256('secret')) as s $$,
  $$ values ('tasker_reader', 'person 248', tasker.clock() + interval '15 minutes', 'new'::bytea) $$, 'the session has the new claims'
);
select throws_ok(
  $$ select tasker.refresh_session(sha256('secret'), '{"iss": "https://id.example", "sub": "249", "groups": ["shop-ops"]}') $$,
  'TK403', 'the provider has answered for another person', 'another person is refused'
);
select throws_ok(
  $$ select tasker.refresh_session(sha256('secret'), '{"iss": "https://evil.example", "sub": "248", "groups": ["shop-ops"]}') $$,
  'TK403', 'the provider has answered for another person', 'another provider is refused'
);
select tasker.sign_out(sha256('secret'));
select ok(not tasker.refresh_session(sha256('secret'), '{"iss": "https://id.example", "sub": "248", "groups": ["staff"]}'), 'an ended session stays ended');

select * from finish();
rollback;
