begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker.set_setting('stream_items', '1000');
select from generate_series(1, 10) as n, tasker.append_items(
  tasker_test.the_step('top'), 1, 'log', (select jsonb_agg(i) from generate_series(100 * n - 99, 100 * n) as i)
);
select from tasker.append_items(tasker_test.the_step('top'), 1, 'rows', (select jsonb_agg(i) from generate_series(1, 1000) as i));
select throws_ok(
  $$ select from tasker.append_items(tasker_test.the_step('top'), 1, 'rows', '[1001]') $$,
  'TK413', format('stream "rows" of step %s is full', tasker_test.the_step('top')), 'a full stream refuses items'
);
select is((select a.last_no from tasker.append_items(tasker_test.the_step('top'), 1, 'log', '[1001]') as a), 1001::bigint, 'a full log takes a line');
select results_eq(
  $$ select l.first_no, l.last_no from tasker.list_streams(tasker_test.the_step('top'), 'log') as l $$,
  $$ values (301::bigint, 1001::bigint) $$, 'and loses its oldest rows until it is three quarters full'
);
select results_eq(
  $$ select r.item_no::text::jsonb, r.item from tasker.read_stream(tasker_test.the_step('top'), 'log') as r offset 0 limit 1 $$,
  $$ values ('301'::jsonb, '301'::jsonb) $$, 'the numbers of the others stay'
);
select is_empty($$ select from tasker.read_stream(tasker_test.the_step('top'), 'log', 0, 10000) as r where r.item_no::text is distinct from r.item::text $$, 'each item has its number');
select is(
  (select l.bytes from tasker.list_streams(tasker_test.the_step('top'), 'log') as l),
  (select sum(octet_length(i.items::text))::bigint from tasker.stream_items as i where i.name = 'log'), 'the size is that of the kept rows'
);
select tasker.set_setting('stream_bytes', '1048576');
select tasker.set_setting('stream_item_bytes', '1048576');
select from generate_series(1, 3) as n, tasker.append_items(tasker_test.the_step('top'), 1, 'log', jsonb_build_array(repeat('x', 600000 + n)));
select results_eq(
  $$ select l.first_no, l.last_no from tasker.list_streams(tasker_test.the_step('top'), 'log') as l $$,
  $$ values (1004::bigint, 1004::bigint) $$, 'a log that has too many bytes is cut, too'
);
select lives_ok($$ select from tasker.append_items(tasker_test.the_step('top'), 1, 'log', '["small"]') $$, 'the log goes on');
select is_empty($$ select tasker.check_integrity() $$, 'no problem is found');

select * from finish();
rollback;
