-- Three steps are claimed ahead; then the worker says which of them still wait, in three ways.
begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register('trio', 'a', 'b', 'c');
select tasker_test.launch('trio');
create function pg_temp.claim_ahead(p_worker integer)
  returns void
  language sql
begin atomic
  select from tasker.exchange_steps(tasker_test.worker(p_worker), p_limit => 3, p_request_uuid => gen_random_uuid(), p_ahead => 3);
end;
create function pg_temp.waiting(variadic p_names text[])
  returns uuid[]
  language sql
begin atomic
  select array_agg(tasker_test.the_step(n)) from unnest(p_names) as n;
end;
create function pg_temp.lost()
  returns setof text
  language sql
begin atomic
  select s.name || ' ' || s.lost_count
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
   order by s.name;
end;

-- In the next claim.
select pg_temp.claim_ahead(1);
select is_empty(
  $$ select from tasker.exchange_steps(tasker_test.worker(1), p_limit => 1, p_waiting => pg_temp.waiting('b', 'c')) $$,
  'the next claim finds nothing, and says which steps wait'
);
select tasker_test.pass('1 minute');
select pg_temp.claim_ahead(2);
select results_eq('select pg_temp.lost()', array['a 1', 'b 0', 'c 0'], 'a step that no longer waits has begun, and is lost with its worker');

-- In an exchange that claims nothing.
select is_empty(
  $$ select from tasker.exchange_steps(tasker_test.worker(2), p_waiting => pg_temp.waiting('c')) $$, 'an exchange without a claim says which steps wait'
);
select is_empty($$ select from tasker.exchange_steps(tasker_test.worker(2)) $$, 'an exchange that names no waiting steps changes nothing');
select tasker_test.pass('1 minute');
select pg_temp.claim_ahead(3);
select results_eq('select pg_temp.lost()', array['a 2', 'b 1', 'c 0'], 'two steps have begun, and are lost');

-- With a renewal.
select tasker_test.pass('10 seconds');
select is(
  (
    select x.answer::text
      from tasker.workflow_steps as s
     cross join lateral tasker.extend_leases(array[s.workflow_step_uuid], array[s.claim_no]) as x
     where s.task_uuid = tasker_test.the_task()
       and s.name = 'c'
  ),
  'extended',
  'the worker renews a lease'
);
select tasker_test.pass('1 minute');
select from tasker.exchange_steps(tasker_test.worker(4), p_limit => 3, p_ahead => 1);
select results_eq('select pg_temp.lost()', array['a 2', 'b 1', 'c 1'], 'a step whose lease was renewed has begun');

-- What waited for another worker says nothing about the steps of this one.
select from tasker.exchange_steps(tasker_test.worker(5), p_waiting => pg_temp.waiting('a', 'b', 'c'));
select from tasker.exchange_steps(tasker_test.worker(4), p_waiting => '{}');
select tasker_test.pass('1 minute');
select from tasker.exchange_steps(tasker_test.worker(6), p_limit => 3);
select results_eq('select pg_temp.lost()', array['a 3', 'b 2', 'c 2'], 'a worker reports only its own steps');

select * from finish();
rollback;
