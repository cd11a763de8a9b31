begin;
select plan(2);

select tasker_test.take_turn();
create temporary table before as select tasker.pgmq_kind() as kind;
select is(tasker.drop_own_pgmq(), (select b.kind = 'own' from before as b), 'drop_own_pgmq returns true only if pgtasker installed pgmq');
select is(to_regnamespace('pgmq') is null, (select b.kind = 'own' from before as b), 'the schema is dropped only in that case');

select * from finish();
rollback;
