begin;
select plan(3);

select throws_ok('select tasker.get_next_ready_tasks(0)', 'TK422', 'the limit is 0; it must be between 1 and 1,000', 'none');
select throws_ok('select tasker.get_next_ready_tasks(1001)', 'TK422', 'the limit is 1001; it must be between 1 and 1,000', 'too many');
select lives_ok('select tasker.get_next_ready_tasks(null)', 'null means 5');

select * from finish();
rollback;
