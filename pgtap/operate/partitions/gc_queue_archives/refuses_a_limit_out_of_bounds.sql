begin;
select plan(2);

select throws_ok('select tasker.gc_queue_archives(0)', 'TK422', 'a limit of 0 is out of range', 'a limit of 0 is refused');
select lives_ok('select tasker.gc_queue_archives(null)', 'a null limit means the default');

select * from finish();
rollback;
