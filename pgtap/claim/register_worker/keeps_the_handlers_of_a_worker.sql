begin;
select plan(5);

select tasker_test.freeze();
prepare handlers as select w.handlers from tasker.workers as w;
select tasker.register_worker(tasker_test.worker(), 'a');
select results_eq('execute handlers', $$ values (null::text[]) $$, 'it has not said which');
select tasker.register_worker(tasker_test.worker(), 'a', p_handlers => '{charge,ship}');
select results_eq('execute handlers', $$ values ('{charge,ship}'::text[]) $$, 'it has said so');
select throws_ok(
  $$ select tasker.register_worker(tasker_test.worker(), 'a', p_handlers => array_fill('a'::text, array[10001])) $$,
  'TK422', 'the handlers of a worker are at most 10000 names of at most 250 characters', 'too many'
);
select throws_ok(
  $$ select tasker.register_worker(tasker_test.worker(), 'a', p_handlers => array[repeat('a', 251)]) $$,
  'TK422', 'the handlers of a worker are at most 10000 names of at most 250 characters', 'one too long'
);
select throws_ok(
  $$ select tasker.register_worker(tasker_test.worker(), 'a', p_handlers => array[null]) $$,
  'TK422', 'the handlers of a worker are at most 10000 names of at most 250 characters', 'a null one'
);

select * from finish();
rollback;
