begin;
select plan(2);

select throws_ok('select tasker.gc_queue_archives(0)', 'TK422', 'a limit of 0 is out of range', 'zero');
select lives_ok('select tasker.gc_queue_archives(null)', 'null is the default');

select * from finish();
rollback;
