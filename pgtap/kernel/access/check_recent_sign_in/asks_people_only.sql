begin;
select plan(8);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');
select s.session_uuid as session from tasker.open_session(sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock(), true, 'sealed') as s \gset

select ok(not tasker.check_recent_sign_in(), 'a role does not sign in');
create role tap_web login noinherit in role tasker_server, tasker_operator;
select tasker.create_token('bot', sha256('bot'), 'tasker_operator', '{*}');
set session authorization tap_web;
savepoint request;
set local role tasker_server;
select tasker.assume_token(sha256('bot'));
select ok(not tasker.check_recent_sign_in(), 'a token does not sign in');
rollback to savepoint request;
set local role tasker_server;
select tasker.assume_session(sha256('secret'));
select ok(tasker.check_recent_sign_in(), 'a person has just signed in');
reset session authorization;
select tasker_test.freeze(tasker.clock() + interval '15 minutes 1 second');
set local role tasker_operator;
select throws_ok($$ select tasker.check_recent_sign_in() $$, 'TK428', 'this cannot be undone, and the sign-in is too old for it', 'an old sign-in is refused');
select throws_ok($$ select tasker.reset_tasks('why', p_namespace => 'shop') $$, 'TK428', 'this cannot be undone, and the sign-in is too old for it', 'a reset of many tasks is refused');
select lives_ok($$ select tasker.reset_tasks('why', p_namespace => 'shop', p_dry_run => true) $$, 'asking which tasks is not');
select throws_ok($$ select tasker.requeue_dlq_entries('notes', p_namespace => 'shop') $$, 'TK428', 'this cannot be undone, and the sign-in is too old for it', 'a requeue of many entries is refused');
reset role;
reset tasker.namespaces;
select tasker.set_setting('sign_in_again_seconds', '0');
select ok(tasker.check_recent_sign_in(), 'the setting 0 asks for nothing');

select * from finish();
rollback;
