begin;
select plan(4);

select throws_ok(
  'select tasker.gc_identities(0)', 'TK422', 'a limit of 0 is out of range', 'a limit of 0 is refused'
);
select throws_ok('select tasker.gc_identities(-1)', 'TK422', 'a limit of -1 is out of range', 'a negative limit is refused');
select throws_ok('select tasker.gc_identities(100001)', 'TK422', 'a limit of 100001 is out of range', 'a limit of more than 100,000 is refused');
select lives_ok('select tasker.gc_identities(null)', 'a null limit means the default');

select * from finish();
rollback;
