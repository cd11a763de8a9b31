begin;
select plan(3);

select throws_ok('select tasker.get_next_ready_tasks(0)', 'TK422', '0 tasks cannot be discovered at once', 'none');
select throws_ok('select tasker.get_next_ready_tasks(1001)', 'TK422', '1001 tasks cannot be discovered at once', 'too many');
select lives_ok('select tasker.get_next_ready_tasks(null)', 'null means 5');

select * from finish();
rollback;
