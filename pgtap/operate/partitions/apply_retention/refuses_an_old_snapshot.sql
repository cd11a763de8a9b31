begin isolation level repeatable read;
select plan(3);

select throws_ok(
  'select tasker.apply_retention()',
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'apply_retention is refused at repeatable read'
);
select throws_ok('select tasker.evacuate_partition(now())', 'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'evacuate_partition is refused at repeatable read');
select throws_ok('select tasker.setup_partitioning()', 'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'setup_partitioning is refused at repeatable read');

select * from finish();
rollback;
