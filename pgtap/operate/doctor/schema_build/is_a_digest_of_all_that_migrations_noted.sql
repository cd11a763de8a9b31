begin;
select plan(5);

select tasker.schema_build('99991231235959') as digest \gset
select is(length(:'digest'), 64, 'it is a SHA-256');
select is(tasker.schema_build(null), tasker.schema_build(''), 'no version is as before the first');
insert into tasker.schema_builds (version, files) values ('99991231235959', E'functions/new 0123456789abcdef\n');
select isnt(tasker.schema_build('99991231235959'), :'digest', 'another file makes another digest');
select is(tasker.schema_build('99991231235958'), :'digest', 'what a newer migration noted does not count for an older version');
select throws_ok(
  $$ select tasker.schema_build(repeat('1', 101)) $$, 'TK413', 'the version is longer than 100 characters', 'a long version is refused'
);

select * from finish();
rollback;
