begin;
select plan(5);

select throws_ok('select tasker.fire_due_timers(null)', 'TK422', 'a limit of null is out of range', 'null');
select throws_ok('select tasker.fire_due_timers(0)', 'TK422', 'a limit of 0 is out of range', 'zero');
select throws_ok('select tasker.fire_due_timers(-1)', 'TK422', 'a limit of -1 is out of range', 'less');
select throws_ok('select tasker.fire_due_timers(10001)', 'TK422', 'a limit of 10001 is out of range', 'too much');
select lives_ok('select tasker.fire_due_timers(10000)', 'the greatest');

select * from finish();
rollback;
