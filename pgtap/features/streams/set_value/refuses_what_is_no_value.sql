begin;
select plan(10);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker.set_setting('stream_item_bytes', '256');
select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', '[1]');
select tasker_test.remember_rows();
prepare set_value (text, jsonb) as select from tasker.set_value(tasker_test.the_step('top'), 1, $1, $2);
select throws_ok($$ execute set_value ('v', null) $$, 'TK422', 'the value "v" is null', 'null is refused');
select throws_ok(
  $$ select from tasker.set_value(tasker_test.the_step('top'), 1, 'v', to_jsonb(repeat('x', 255))) $$, 'TK413', 'the value "v" is too large', 'a value that is a byte too large is refused'
);
select throws_ok($$ execute set_value ('log', '1') $$, 'TK409', format('"log" of step %s is a stream', tasker_test.the_step('top')), 'the name of a stream is refused');
select throws_ok($$ execute set_value ('progress', '0.5') $$, 'TK422', 'the value "progress" is no progress', 'a progress that is no object is refused');
select throws_ok($$ execute set_value ('progress', '{"done": 1.01}') $$, 'TK422', 'the value "progress" is no progress', 'a progress above 1 is refused');
select throws_ok($$ execute set_value ('progress', '{"done": "1"}') $$, 'TK422', 'the value "progress" is no progress', 'a progress that is a text is refused');
select throws_ok($$ execute set_value ('progress', '{"done": 1, "text": 5}') $$, 'TK422', 'the value "progress" is no progress', 'a number as its text is refused');
select throws_ok($$ execute set_value ('.v', '1') $$, 'TK422', '''.v'' is no name of a value or a stream', 'a name that begins with a point is refused');
select throws_ok($$ select from tasker.set_value(null, 1, 'v', '1') $$, 'TK422', 'the step is null', 'a null step is refused');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
