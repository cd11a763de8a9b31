begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.begin_function();
select tasker_test.keep(1, 'charge', '1');
select tasker_test.remember_rows();
select throws_ok('delete from tasker.kept_results', 'TK403', 'what a function has kept is forgotten only by the engine', 'a superuser cannot delete a kept result');
select throws_ok('truncate tasker.kept_results', 'TK403', 'what a function has kept is forgotten only by the engine', 'a superuser cannot truncate the table');
select throws_ok($$ update tasker.kept_results set value = '2' $$, 'TK403', 'what a function has kept never changes', 'a superuser cannot change a kept result');
select throws_ok(
  format('delete from %s', tasker_test.the_partition('kept_results')), 'TK403', 'what a function has kept is forgotten only by the engine', 'rows of a partition cannot be deleted'
);
set local session_replication_role = replica;
select throws_ok('delete from tasker.kept_results', 'TK403', 'what a function has kept is forgotten only by the engine', 'a kept result cannot be deleted in replica mode');
set local session_replication_role = origin;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
alter table tasker.kept_results disable trigger kept_results_refuse_change;
select ok(
  exists (select from tasker.check_integrity() as p where p.problem = 'lacks the enabled trigger kept_results_refuse_change'),
  'the check of integrity finds a disabled trigger'
);

select * from finish();
rollback;
