begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
prepare append (text, jsonb, integer) as
  select a.answer::text, a.last_no from tasker.append_items(tasker_test.the_step('top'), 1, $1, $2, $3) as a;
select results_eq($$ execute append ('log', '["a", {"b": 1}]', 1) $$, $$ values ('saved', 2::bigint) $$, 'the first call numbers its items from 1');
select results_eq($$ execute append ('log', '["c"]', 2) $$, $$ values ('saved', 3::bigint) $$, 'the next call goes on');
select results_eq($$ execute append ('log', '["c"]', 2) $$, $$ values ('saved', 3::bigint) $$, 'a batch that is repeated is saved once');
select results_eq($$ execute append ('log', '["d"]', null) $$, $$ values ('saved', 4::bigint) $$, 'a batch without a number is appended');
select results_eq($$ execute append ('other', '[null]', null) $$, $$ values ('saved', 1::bigint) $$, 'another stream has numbers of its own');
select results_eq(
  $$ select r.item_no, r.item, r.attempt from tasker.read_stream(tasker_test.the_step('top'), 'log') as r $$,
  $$ values (1::bigint, '"a"'::jsonb, 1), (2, '{"b": 1}', 1), (3, '"c"', 1), (4, '"d"', 1) $$, 'a reader finds the items in order, once'
);
select tasker_test.fail('top');
select tasker_test.pass('1 hour');
select from tasker_test.claim();
select results_eq(
  $$ select a.answer::text, a.last_no from tasker.append_items(tasker_test.the_step('top'), 2, 'log', '["e"]', 1) as a $$,
  $$ values ('saved', 5::bigint) $$, 'the first batch of the next claim is no repetition'
);
select results_eq(
  $$ select r.item_no, r.attempt from tasker.read_stream(tasker_test.the_step('top'), 'log', 3) as r $$,
  $$ values (4::bigint, 1), (5, 2) $$, 'an item names the attempt that appended it'
);
select is_empty($$ select tasker.check_integrity() $$, 'no problem is found');

select * from finish();
rollback;
