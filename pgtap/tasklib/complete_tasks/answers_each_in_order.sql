begin;
select plan(2);

select tasker_test.register_echo();
select tasklib.submit_tasks('echo', array_fill('{}'::jsonb, array[3]));
create temporary table c as select * from tasker_test.claim_echo(3);

select results_eq(
  $$ select o.position, o.outcome
       from tasklib.complete_tasks(
              'w',
              array(select c.id from c order by c.id desc) || gen_random_uuid() || (select min(c.id::text)::uuid from c),
              array[1, 7, 1, 1, 1]
            ) as o $$,
  $$ values (1, 'completed'), (2, 'stale'), (3, 'completed'), (4, 'stale'), (5, 'stale') $$,
  'each report gets its own answer, in the order of the call'
);
select results_eq(
  'select t.state::text, t.result from tasklib.tasks as t order by t.state, t.id',
  $$ values ('running', null::jsonb), ('completed', '{"value": null}'), ('completed', '{"value": null}') $$,
  'the result of a completed task is a null value if none was given'
);

select * from finish();
rollback;
