begin;
select plan(7);

select b.digest, b.newest_version as version from tasker.schema_build('99991231235959') as b \gset
select is(length(:'digest'), 64, 'the digest is a SHA-256');
select is(:'version', (select max(b.version collate "C") from tasker.schema_builds as b), 'the newest applied version is returned');
select is(tasker.schema_build(null), tasker.schema_build(''), 'no version is as before the first');
insert into tasker.schema_builds (version, files) values ('99991231235959', E'functions/new 0123456789abcdef\n');
select isnt((tasker.schema_build('99991231235959')).digest, :'digest', 'another file makes another digest');
select is((tasker.schema_build('99991231235958')).digest, :'digest', 'what a newer migration noted does not count for an older version');
select is(
  (tasker.schema_build('99991231235958')).newest_version, '99991231235959', 'a migration that is newer than the version is the newest, too'
);
select throws_ok(
  $$ select tasker.schema_build(repeat('1', 101)) $$, 'TK413', 'the version is longer than 100 characters', 'a long version is refused'
);

select * from finish();
rollback;
