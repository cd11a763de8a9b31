begin;
select plan(3);

select throws_ok('select tasker.get_next_ready_tasks(0)', 'TK422', 'the limit is 0; it must be between 1 and 1,000', 'a limit of 0 is refused');
select throws_ok('select tasker.get_next_ready_tasks(1001)', 'TK422', 'the limit is 1001; it must be between 1 and 1,000', 'a limit of 1,001 is refused');
select tasker_test.register('plain', 'only');
select tasker_test.make_task('plain') from generate_series(1, 7);
select is((select count(*) from tasker.get_next_ready_tasks(null)), 5::bigint, 'a null limit returns five tasks');

select * from finish();
rollback;
