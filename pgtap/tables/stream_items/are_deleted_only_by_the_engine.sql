begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', '[1]');
select tasker_test.remember_rows();
select throws_ok('delete from tasker.stream_items', 'TK403', 'only the engine deletes streams and their items', 'a superuser cannot delete an item');
select throws_ok('delete from tasker.step_streams', 'TK403', 'only the engine deletes streams and their items', 'nor a stream');
select throws_ok('truncate tasker.stream_items', 'TK403', 'only the engine deletes streams and their items', 'a superuser cannot truncate the table');
select throws_ok($$ update tasker.stream_items set items = '[2]' $$, 'TK403', 'items of a stream never change', 'a superuser cannot change an item');
select throws_ok(
  format('delete from %s', tasker_test.the_partition('stream_items')), 'TK403', 'only the engine deletes streams and their items', 'rows of a partition cannot be deleted'
);
set local session_replication_role = replica;
select throws_ok('delete from tasker.stream_items', 'TK403', 'only the engine deletes streams and their items', 'an item cannot be deleted in replica mode');
set local session_replication_role = origin;
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
alter table tasker.stream_items disable trigger stream_items_refuse_change;
select ok(
  exists (select from tasker.check_integrity() as p where p.problem = 'lacks the enabled trigger stream_items_refuse_change'),
  'the check of integrity finds a disabled trigger'
);

select * from finish();
rollback;
