begin;
select plan(3);

select tasker_test.take_turn();

select lives_ok('select tasker.ensure_partitions()', 'the first call may have something to do');
select tasker_test.remember_rows();
select is(tasker.ensure_partitions(), 0, 'the second has not');
select is_empty('select tasker_test.changed_tables()', 'and changes nothing');

select * from finish();
rollback;
