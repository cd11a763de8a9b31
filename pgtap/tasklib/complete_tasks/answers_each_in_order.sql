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
  'mixed reports, one of them twice'
);
select is_empty('select from tasklib.tasks as t where t.state = $$completed$$ and t.result <> $${"value": null}$$', 'without results the value is null');

select * from finish();
rollback;
