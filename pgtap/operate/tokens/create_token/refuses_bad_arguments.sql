begin;
select plan(18);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select lives_ok($$ select tasker.create_token('used', sha256('used'), 'tasker_reader', '{*}') $$, 'a valid token is created');
select throws_ok($$ select tasker.create_token(null, sha256('a'), 'tasker_reader', '{*}') $$, 'TK422', 'a token cannot be called null', 'a null name is refused');
select throws_ok($$ select tasker.create_token('', sha256('a'), 'tasker_reader', '{*}') $$, 'TK422', 'a token cannot be called ""', 'an empty name is refused');
select throws_ok($$ select tasker.create_token(E'a\nb', sha256('a'), 'tasker_reader', '{*}') $$, 'TK422', E'a token cannot be called "a\nb"', 'a name with a line break is refused');
select throws_ok($$ select tasker.create_token(repeat('a', 64), sha256('a'), 'tasker_reader', '{*}') $$, 'TK422', 'a token cannot be called "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"', 'a name of 64 characters is refused');
select throws_ok($$ select tasker.create_token('a', null, 'tasker_reader', '{*}') $$, 'TK422', 'the hash of a token has 32 bytes', 'a null hash is refused');
select throws_ok($$ select tasker.create_token('a', 'secret', 'tasker_reader', '{*}') $$, 'TK422', 'the hash of a token has 32 bytes', 'the secret instead of its hash is refused');
select throws_ok($$ select tasker.create_token('a', sha256('a'), null, '{*}') $$, 'TK404', 'role null does not exist', 'a null role is refused');
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tap_nobody', '{*}') $$, 'TK404', 'role "tap_nobody" does not exist', 'an unknown role is refused');
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tasker_owner', '{*}') $$, 'TK422', 'a token cannot have role "tasker_owner": it owns the schema', 'the role tasker_owner is refused');
grant tasker_reader to tasker_owner;
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tasker_owner', '{*}') $$, 'TK422', 'a token cannot have role "tasker_owner": it owns the schema', 'the role tasker_owner is refused also if it is a member of a group');
select throws_ok($$ select tasker.create_token('a', sha256('a'), current_user, '{*}') $$, 'TK422', 'a token cannot have role "postgres": it is not one of tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator and tasker_reader, and not a member of any of them', 'a superuser is refused');
create role tap_mixed in role tasker_reader, pg_read_all_data;
select throws_ok(
  $$ select tasker.create_token('a', sha256('a'), 'tap_mixed', '{*}') $$,
  'TK422', 'a token cannot have role "tap_mixed": it is a member of pg_read_all_data', 'a role with rights outside pgtasker is refused'
);
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tasker_reader', null) $$, 'TK422', 'the namespaces of a token are a list', 'null namespaces are refused');
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tasker_reader', '{shop,moon}') $$, 'TK404', 'namespace "moon" does not exist', 'an unknown namespace is refused');
select throws_ok($$ select tasker.create_token('a', sha256('a'), 'tasker_reader', '{*}', tasker.clock()) $$, 'TK422', 'a token cannot expire before now', 'an expiry that is not in the future is refused');
select throws_ok($$ select tasker.create_token('used', sha256('a'), 'tasker_reader', '{*}') $$, 'TK409', 'there is a token called "used", or with the same secret, already', 'a used name is refused');
select throws_ok($$ select tasker.create_token('a', sha256('used'), 'tasker_reader', '{*}') $$, 'TK409', 'there is a token called "a", or with the same secret, already', 'a used secret is refused');

select * from finish();
rollback;
