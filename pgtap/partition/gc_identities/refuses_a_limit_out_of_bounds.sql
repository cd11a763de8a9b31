begin;
select plan(4);

select throws_ok(
  'select tasker.gc_identities(0)', 'TK422', 'a limit of 0 is out of range', 'zero'
);
select throws_ok('select tasker.gc_identities(-1)', 'TK422', 'a limit of -1 is out of range', 'less than that');
select throws_ok('select tasker.gc_identities(100001)', 'TK422', 'a limit of 100001 is out of range', 'too much');
select lives_ok('select tasker.gc_identities(null)', 'null is the default');

select * from finish();
rollback;
