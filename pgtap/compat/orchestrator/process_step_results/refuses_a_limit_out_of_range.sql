begin;
select plan(2);

select throws_ok('select tasker.process_step_results(0)', 'TK422', 'a limit of 0 is out of range', 'a limit of zero is refused');
select throws_ok('select tasker.process_step_results(10001)', 'TK422', 'a limit of 10001 is out of range', 'a limit that is too large is refused');

select * from finish();
rollback;
