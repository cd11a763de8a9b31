begin;
select plan(3);

select tasker_test.register('wide', variadic array(select 's' || i from generate_series(1, 300) as i)
  || ('end ' || (select string_agg('s' || i, ' ') from generate_series(1, 300) as i)));
select tasker_test.make_task('wide');

select is(
  (select e.summary from tasker.explain_step(tasker_test.the_step('end')) as e), 'It waits for 300 of its parents, among them "s1".', 'the summary counts all parents'
);
select is(
  (select jsonb_array_length(e.waiting_for) from tasker.explain_step(tasker_test.the_step('end')) as e), 100, 'waiting_for has at most a hundred parents'
);
prepare wide as select tasker.explain_step(tasker_test.the_step('end'));
select performs_ok('wide', 10000, 'a wide step is explained in time');

select * from finish();
rollback;
