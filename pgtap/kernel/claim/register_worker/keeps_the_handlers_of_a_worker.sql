begin;
select plan(5);

select tasker_test.freeze();
prepare handlers as select w.handlers from tasker.workers as w;
select tasker.register_worker(tasker_test.worker(), 'a');
select results_eq('execute handlers', $$ values (null::text[]) $$, 'a worker has no handlers before it names them');
select tasker.register_worker(tasker_test.worker(), 'a', p_handlers => '{charge,ship}');
select results_eq('execute handlers', $$ values ('{charge,ship}'::text[]) $$, 'the worker''s handlers are kept');
select throws_ok(
  $$ select tasker.register_worker(tasker_test.worker(), 'a', p_handlers => array_fill('a'::text, array[10001])) $$,
  'TK422', 'the handlers of a worker are at most 10000 names of at most 250 characters', 'too many handlers are refused'
);
select throws_ok(
  $$ select tasker.register_worker(tasker_test.worker(), 'a', p_handlers => array[repeat('a', 251)]) $$,
  'TK422', 'the handlers of a worker are at most 10000 names of at most 250 characters', 'a handler''s name that is too long is refused'
);
select throws_ok(
  $$ select tasker.register_worker(tasker_test.worker(), 'a', p_handlers => array[null]) $$,
  'TK422', 'the handlers of a worker are at most 10000 names of at most 250 characters', 'a null handler is refused'
);

select * from finish();
rollback;
