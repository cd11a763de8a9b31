begin isolation level repeatable read;
select plan(3);

select throws_ok(
  'select tasker.apply_retention()',
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'retention'
);
select throws_ok('select tasker.evacuate_partition(now())', 'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'evacuation');
select throws_ok('select tasker.setup_partitioning()', 'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'setup');

select * from finish();
rollback;
