begin;
select plan(4);

select tasker_test.register_echo();
select tasker_test.echo() as task \gset
select tasker_test.claim_echo();

select throws_ok(
  format($$ select tasklib.complete_tasks('w', array[%L]::uuid[], '{1}', array[(repeat('[', 1200) || repeat(']', 1200))::jsonb]) $$, :'task'),
  'TK422', format('the result of task %s is nested deeper than 1,000 levels', :'task'), 'a result of 1,200 levels is refused'
);
select is(
  (select o.outcome from tasklib.complete_tasks('w', array[:'task']::uuid[], '{1}', array[(repeat('[', 900) || repeat(']', 900))::jsonb]) as o),
  'completed', 'a result of 900 levels is kept'
);
select throws_like(
  $$ select tasklib.submit_task('echo', jsonb_build_object('deep', (repeat('[', 1200) || repeat(']', 1200))::jsonb)) $$,
  '%nested deeper than 1,000 levels%', 'arguments of 1,200 levels are refused'
);
select lives_ok(
  $$ select tasklib.submit_task('echo', jsonb_build_object('deep', (repeat('[', 900) || repeat(']', 900))::jsonb)) $$,
  'arguments of 900 levels are kept'
);

select * from finish();
rollback;
