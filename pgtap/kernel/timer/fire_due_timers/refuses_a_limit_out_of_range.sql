begin;
select plan(4);

select throws_ok('select tasker.fire_due_timers(0)', 'TK422', 'a limit of 0 is out of range', 'a limit of zero is refused');
select throws_ok('select tasker.fire_due_timers(-1)', 'TK422', 'a limit of -1 is out of range', 'a negative limit is refused');
select throws_ok('select tasker.fire_due_timers(10001)', 'TK422', 'a limit of 10001 is out of range', 'a limit that is too large is refused');
select is(tasker.fire_due_timers(10000), 0, 'the largest limit is accepted');

select * from finish();
rollback;
