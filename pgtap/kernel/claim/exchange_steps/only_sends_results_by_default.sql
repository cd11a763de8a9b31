begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
select from tasker_test.claim(1);
select results_eq(
  $$ select e.answer::text, e.name from tasker.exchange_steps(tasker_test.worker(), array[tasker_test.the_step('a')], '{1}') as e $$,
  $$ values ('completed', null) $$, 'a limit of zero claims nothing'
);
select is_empty('select from tasker.exchange_steps(tasker_test.worker())', 'an exchange without results and limit returns nothing');
select is(tasker_test.the_steps(), 'a complete, b enqueued', 'the other step is still in the queue');

select * from finish();
rollback;
