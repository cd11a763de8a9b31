begin;
select plan(14);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker.set_setting('stream_item_bytes', '256');
select from tasker.set_value(tasker_test.the_step('top'), 1, 'total', '1');
select tasker_test.remember_rows();
prepare append (text, jsonb) as select from tasker.append_items(tasker_test.the_step('top'), 1, $1, $2);
select throws_ok($$ execute append ('log', '{}') $$, 'TK422', 'the items of stream "log" are no array of 1 to 1000 items', 'items that are no array are refused');
select throws_ok($$ execute append ('log', '[]') $$, 'TK422', 'the items of stream "log" are no array of 1 to 1000 items', 'no items are refused');
select throws_ok($$ execute append ('log', null) $$, 'TK422', 'the items of stream "log" are no array of 1 to 1000 items', 'null is refused');
select throws_ok(
  $$ select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', (select jsonb_agg(n) from generate_series(1, 1001) as n)) $$,
  'TK422', 'the items of stream "log" are no array of 1 to 1000 items', '1001 items are refused'
);
select throws_ok(
  $$ select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', jsonb_build_array(repeat('x', 255))) $$,
  'TK413', 'an item of stream "log" is too large', 'an item that is a byte too large is refused'
);
select throws_ok(
  $$ select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', jsonb_build_array(repeat('x', 1048600))) $$,
  'TK413', 'the items of stream "log" are too large for one call', 'more than a mebibyte is refused'
);
select throws_ok($$ execute append ('a/b', '[1]') $$, 'TK422', '''a/b'' is no name of a value or a stream', 'a name with a slash is refused');
select throws_ok($$ execute append (null, '[1]') $$, 'TK422', 'null is no name of a value or a stream', 'no name is refused');
select throws_ok(
  $$ execute append ('total', '[1]') $$, 'TK409', format('"total" of step %s is a value', tasker_test.the_step('top')), 'the name of a value is refused'
);
select throws_ok(
  $$ select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', '[1]', 0) $$, 'TK422', 'a batch has a number below 1', 'a batch 0 is refused'
);
select throws_ok($$ select from tasker.append_items(tasker_test.the_step('top'), null, 'log', '[1]') $$, 'TK422', 'steps and claim numbers do not match', 'a null claim number is refused');
select throws_ok(
  $$ select from tasker.append_items('01980000-0000-7000-8000-000000000001', 1, 'log', '[1]') $$,
  'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select from generate_series(1, 15) as n, tasker.append_items(tasker_test.the_step('top'), 1, 's' || n, '[1]');
select throws_ok(
  $$ execute append ('log', '[1]') $$, 'TK413', format('step %s has 16 values and streams, and may have no more', tasker_test.the_step('top')), 'a 17th name is refused'
);

select * from finish();
rollback;
