begin;
select plan(3);

select tasker_test.take_turn();

select lives_ok('select tasker.ensure_partitions()', 'a first call creates what may be missing');
select tasker_test.remember_rows();
select is(tasker.ensure_partitions(), 0, 'a second call creates no range');
select is_empty('select tasker_test.changed_tables()', 'a second call changes no table');

select * from finish();
rollback;
