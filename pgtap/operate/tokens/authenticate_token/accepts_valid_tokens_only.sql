begin;
select plan(8);

select tasker_test.freeze();
create role tap_team in role tasker_reader;
select tasker.create_token('team', sha256('team'), 'tap_team', '{*}');
select tasker.create_token('short', sha256('short'), 'tasker_reader', '{*}', tasker.clock() + interval '1 hour');
set local role tasker_server;
select results_eq(
  $$ select t.name, t.role_name, t.namespaces from tasker.authenticate_token(sha256('short')) as t $$,
  $$ values ('short', 'tasker_reader', '{*}'::text[]) $$,
  'a valid token is accepted'
);
select throws_ok($$ select tasker.authenticate_token(sha256('other')) $$, 'TK401', 'the token is not known', 'an unknown token is refused');
select throws_ok($$ select tasker.authenticate_token(null) $$, 'TK401', 'the token is not known', 'a null hash is refused');
select throws_ok($$ select tasker.authenticate_token('short') $$, 'TK401', 'the token is not known', 'the secret instead of its hash is refused');
reset role;
select tasker_test.freeze(tasker.clock() + interval '1 hour');
select throws_ok($$ select tasker.authenticate_token(sha256('short')) $$, 'TK401', 'token "short" has expired', 'an expired token is refused');
grant pg_read_all_data to tap_team;
select throws_ok(
  $$ select tasker.authenticate_token(sha256('team')) $$,
  'TK401', 'token "team" cannot be used any more: its role has changed', 'a token whose role has other rights is refused'
);
revoke pg_read_all_data from tap_team;
select lives_ok($$ select tasker.authenticate_token(sha256('team')) $$, 'the token is accepted again when the rights are revoked');
drop role tap_team;
select throws_ok(
  $$ select tasker.authenticate_token(sha256('team')) $$,
  'TK401', 'token "team" cannot be used any more: its role has changed', 'a token whose role was dropped is refused'
);

select * from finish();
rollback;
