begin;
select plan(3);

select throws_ok($$ select tasker.list_selection_entries('00000000-0000-7000-8000-000000000001') $$, 'TK404', 'there is no selection 00000000-0000-7000-8000-000000000001', 'an unknown selection is refused');
select tasker_test.register('one', 'charge');
select tasker_test.launch('one');
select selection_uuid as set from tasker.create_selection('tasks', '{"name": "one"}') \gset
select throws_ok(format('select tasker.list_selection_entries(%L, %L)', :'set', 'done'), 'TK422', 'an entry of a selection has no state "done"', 'an unknown state is refused');
select throws_ok(format('select tasker.list_selection_entries(%L, p_limit => 0)', :'set'), 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a page has a row');

select * from finish();
rollback;
