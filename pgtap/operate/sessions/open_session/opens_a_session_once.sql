begin;
select plan(15);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
select tasker.map_access('groups', 'staff');
select tasker.map_access('groups', 'shop-ops', 'tasker_operator', '{shop}');

select results_eq(
  $$ select s.status, s.person, s.role_name, s.namespaces, s.signed_in_at, s.refresh_at, s.ends_at, s.refresh_due from tasker.open_session(
       sha256('secret'), sha256('code'), '{"iss": "https://id.example", "sub": "248", "email": "ann@corp.example", "email_verified": true, "groups": ["staff", "shop-ops"]}', tasker.clock() - interval '1 hour', true, 'sealed') as s $$,
  $$ values ('valid', 'person ann@corp.example (248)', 'tasker_operator', '{shop}'::text[], tasker.clock() - interval '1 hour', tasker.clock() + interval '15 minutes', tasker.clock() + interval '12 hours', false) $$,
  'a session has the person, the access and its ends'
);
select throws_ok(
  $$ select tasker.open_session(sha256('other'), sha256('code'), '{"iss": "i", "sub": "s", "groups": "staff"}') $$,
  'TK409', 'this sign-in was used before', 'an answer of the provider opens one session'
);
select throws_ok(
  $$ select tasker.open_session(sha256('secret'), sha256('other'), '{"iss": "i", "sub": "s", "groups": "staff"}') $$,
  'TK409', 'this sign-in was used before', 'a secret has one session'
);
select is(
  (select s.ends_at from tasker.open_session(sha256('b'), sha256('b'), '{"iss": "i", "sub": "s", "groups": "staff"}') as s),
  tasker.clock() + interval '15 minutes', 'a session that cannot be refreshed ends when its refresh is due'
);
select is(
  (select s.ends_at from tasker.open_session(sha256('f'), sha256('f'), jsonb_build_object('iss', 'i', 'sub', 's', 'groups', 'staff', 'iat', extract(epoch from tasker.clock() - interval '10 minutes'))) as s),
  tasker.clock() + interval '5 minutes', 'counted from when its claims were issued'
);
select is(
  (select s.ends_at from tasker.open_session(sha256('c'), sha256('c'), '{"iss": "i", "sub": "s", "groups": "staff"}', p_until => tasker.clock() + interval '1 minute') as s),
  tasker.clock() + interval '1 minute', 'a session may end earlier'
);
select is(
  (select s.signed_in_at from tasker.open_session(sha256('d'), sha256('d'), '{"iss": "i", "sub": "s", "groups": "staff"}', tasker.clock() + interval '1 day') as s),
  tasker.clock(), 'no sign-in is in the future'
);
select throws_ok(
  $$ select tasker.open_session(sha256('e'), sha256('e'), '{"iss": "i", "sub": "s", "groups": ["other"]}') $$,
  'TK403', 'person s has no access: no access map fits', 'a person without a map gets in nowhere'
);
select throws_ok($$ select tasker.open_session('secret', sha256('e'), '{"iss": "i", "sub": "s"}') $$, 'TK422', 'the hash of a session has 32 bytes', 'the secret instead of its hash is refused');
select throws_ok($$ select tasker.open_session(sha256('e'), sha256('e'), '[]') $$, 'TK422', 'the claims of a person are an object', 'claims that are no object are refused');
select throws_ok($$ select tasker.open_session(sha256('e'), sha256('e'), jsonb_build_object('iss', 'i', 'sub', E'a\nb')) $$, 'TK422', 'the claim sub is not the name of a person', 'a subject with a line break is refused');
select throws_ok($$ select tasker.open_session(sha256('e'), sha256('e'), jsonb_build_object('iss', 'i', 'sub', 's', 'a', repeat('a', 300000))) $$, 'TK422', 'the claims of a person are larger than 256 kB', 'large claims are refused');
reset role;
select is((select s.claims from tasker.access_sessions as s where s.token_hash = sha256('secret')), '{"groups": ["staff", "shop-ops"]}', 'only claims that a map names are stored');
select results_eq(
  $$ select l.action, l.becomes ->> 'email', l.becomes ? 'token_hash' from tasker.administration_log as l where l.kind = 'access_sessions' order by l.entry_no limit 1 $$,
  $$ values ('insert', 'ann@corp.example', false) $$,
  'the log of administration has the sign-in, and no hash'
);
select is_empty($$ select * from tasker.check_integrity() $$, 'the log of administration agrees');

select * from finish();
rollback;
