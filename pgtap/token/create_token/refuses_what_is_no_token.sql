begin;
select plan(17);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select lives_ok($$ select tasker.create_token('used', sha256('used'), 'tasker_reader', '{*}') $$, 'a token');
select throws_ok($$ select tasker.create_token(null, sha256('a'), 'tasker_reader', '{*}') $$, 'TK422', 'a token cannot be called null', 'no name');
select throws_ok($$ select tasker.create_token('', sha256('a'), 'tasker_reader', '{*}') $$, 'TK422', 'a token cannot be called ""', 'an empty name');
select throws_ok($$ select tasker.create_token(E'a\nb', sha256('a'), 'tasker_reader', '{*}') $$, 'TK422', E'a token cannot be called "a\nb"', 'a name with a line break');
select throws_ok($$ select tasker.create_token(repeat('a', 64), sha256('a'), 'tasker_reader', '{*}') $$, 'TK422', 'a token cannot be called "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"', 'a name that is too long');
select throws_ok($$ select tasker.create_token('a', null, 'tasker_reader', '{*}') $$, 'TK422', 'the hash of a token has 32 bytes', 'no hash');
select throws_ok($$ select tasker.create_token('a', 'secret', 'tasker_reader', '{*}') $$, 'TK422', 'the hash of a token has 32 bytes', 'no hash, but the secret');
select throws_ok($$ select tasker.create_token('a', sha256('a'), null, '{*}') $$, 'TK404', 'role null does not exist', 'no role');
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tap_nobody', '{*}') $$, 'TK404', 'role "tap_nobody" does not exist', 'an unknown role');
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tasker_owner', '{*}') $$, 'TK422', 'a token cannot have role "tasker_owner": it is not one of tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator and tasker_reader, and not a member of any of them', 'the owner');
select throws_ok($$ select tasker.create_token('a', sha256('a'), current_user, '{*}') $$, 'TK422', 'a token cannot have role "postgres": it is not one of tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator and tasker_reader, and not a member of any of them', 'a superuser');
create role tap_mixed in role tasker_reader, pg_read_all_data;
select throws_ok(
  $$ select tasker.create_token('a', sha256('a'), 'tap_mixed', '{*}') $$,
  'TK422', 'a token cannot have role "tap_mixed": it is a member of pg_read_all_data', 'a role with rights of another kind'
);
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tasker_reader', null) $$, 'TK422', 'the namespaces of a token are a list', 'no namespaces named');
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tasker_reader', '{shop,moon}') $$, 'TK404', 'namespace "moon" does not exist', 'an unknown namespace');
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tasker_reader', '{*}', tasker.clock()) $$, 'TK422', 'a token cannot expire before now', 'one that has expired');
select throws_ok($$ select tasker.create_token('used', sha256('a'), 'tasker_reader', '{*}') $$, 'TK409', 'there is a token called "used", or with the same secret, already', 'a name that was used');
select throws_ok($$ select tasker.create_token('a', sha256('used'), 'tasker_reader', '{*}') $$, 'TK409', 'there is a token called "a", or with the same secret, already', 'a secret that was used');

select * from finish();
rollback;
