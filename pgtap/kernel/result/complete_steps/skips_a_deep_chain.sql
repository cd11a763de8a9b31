begin;
select plan(4);

-- A chain whose second step does not run: all that follow it are skipped by one result, level by level.
create function pg_temp.chain(p_steps integer) returns uuid language plpgsql as $$
declare
  v_name text := 'chain_' || p_steps;
begin
  perform tasker.register_task_template(jsonb_build_object('namespace', 'test', 'name', v_name, 'identity_strategy', 'always_unique', 'steps', (
    select jsonb_agg(jsonb_build_object('name', 's' || n) || case n
      when 1 then '{}'
      when 2 then '{"dependencies": [{"step": "s1", "when": "$.go == true"}]}'
      else jsonb_build_object('dependencies', jsonb_build_array('s' || n - 1))
    end order by n)
      from generate_series(1, p_steps) as n
  )));
  return (tasker.create_task('test', v_name)).task_uuid;
end;
$$;
create function pg_temp.skip() returns bigint language sql as $$
  select tasker_test.buffers($call$
    select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array['{"go": false}'::jsonb]) from claimed as c
  $call$);
$$;
create temporary table claimed (step_uuid uuid, claim_no integer);

select pg_temp.chain(20) as small \gset
insert into claimed select c.step_uuid, c.claim_no from tasker.claim_steps('{test}', gen_random_uuid()) as c;
select pg_temp.skip() as plans \gset

select pg_temp.chain(200) as shorter \gset
delete from claimed;
insert into claimed select c.step_uuid, c.claim_no from tasker.claim_steps('{test}', gen_random_uuid()) as c;
select pg_temp.skip() as few \gset

select pg_temp.chain(800) as longer \gset
delete from claimed;
insert into claimed select c.step_uuid, c.claim_no from tasker.claim_steps('{test}', gen_random_uuid()) as c;
select pg_temp.skip() as many \gset

select cmp_ok(:many::bigint, '<=', (5.5 * :few)::bigint, 'four times the steps cost four times the buffers');
select is((select t.state::text from tasker.tasks as t where t.task_uuid = :'longer'), 'complete', 'the task is complete');
select results_eq(
  format($$ select s.state::text, count(*) from tasker.workflow_steps as s where s.task_uuid = %L group by s.state order by count(*) $$, :'longer'),
  $$ values ('complete', 1::bigint), ('cancelled', 799) $$,
  'all but the first are skipped'
);
select is(
  (select count(*) from tasker.workflow_step_transition_log as l where l.task_uuid = :'longer' and l.event = 'Skip'), 799::bigint,
  'and the log says so of each'
);

select * from finish();
rollback;
