begin;
select plan(7);

select tasker_test.freeze();
select tasker.create_token('bot', sha256('a'), 'tasker_reader', '{*}');
set local role tasker_operator;
select ok(tasker.revoke_token('bot'), 'revoke_token returns true for a token');
select ok(not tasker.revoke_token('bot'), 'revoke_token returns false for a revoked token');
select results_eq(
  $$ select t.status, t.revoked_at, t.revoked_by from tasker.list_tokens() as t $$,
  $$ values ('revoked', tasker.clock(), 'tasker_operator') $$,
  'the token stays listed with the role that revoked it'
);
select throws_ok($$ select tasker.create_token('bot', sha256('b'), 'tasker_reader', '{*}') $$, 'TK409', 'there is a token called "bot", or with the same secret, already', 'the name of a revoked token cannot be used again');
select throws_ok($$ select tasker.revoke_token('nobody') $$, 'TK404', 'there is no token called "nobody"', 'an unknown name is refused');
select throws_ok($$ select tasker.revoke_token(null) $$, 'TK404', 'there is no token called null', 'a null name is refused');
reset role;
select throws_ok($$ select tasker.authenticate_token(sha256('a')) $$, 'TK401', 'token "bot" has been revoked', 'a revoked token is refused');

select * from finish();
rollback;
