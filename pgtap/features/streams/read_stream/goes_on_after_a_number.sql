begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', '["Apple", "pear"]');
select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', '["plum", "apple pie", "fig"]');
prepare items (bigint, integer, text) as select r.item_no, r.item #>> '{}' from tasker.read_stream(tasker_test.the_step('top'), 'log', $1, $2, $3) as r;
select results_eq($$ execute items (1, 2, null) $$, $$ values (2::bigint, 'pear'), (3, 'plum') $$, 'a page begins in the middle of a row and ends in another');
select results_eq($$ execute items (3, 2, null) $$, $$ values (4::bigint, 'apple pie'), (5, 'fig') $$, 'the next page goes on');
select is_empty($$ execute items (5, 2, null) $$, 'after the last item there is none');
select results_eq($$ execute items (null, null, 'APPLE') $$, $$ values (1::bigint, 'Apple'), (4, 'apple pie') $$, 'a search finds words in any case');
select is_empty($$ select tasker.read_stream(tasker_test.the_step('top'), 'other') $$, 'a stream that is not there has no items');
select throws_ok($$ execute items (0, 0, null) $$, 'TK422', 'a limit of 0 is out of range', 'a limit of 0 is refused');
select throws_ok(
  $$ select tasker.read_stream('01980000-0000-7000-8000-000000000001', 'log') $$,
  'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused'
);
select throws_ok($$ select tasker.read_stream(tasker_test.the_step('top'), null) $$, 'TK422', 'null is no name of a value or a stream', 'no name is refused');

select * from finish();
rollback;
