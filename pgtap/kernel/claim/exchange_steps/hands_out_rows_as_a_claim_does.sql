begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b');
select tasker_test.launch('pair');
create temporary table claimed as select to_jsonb(c) as row from tasker.claim_steps('{test}', tasker_test.worker(), 1, 77) as c;
create temporary table exchanged as
  select to_jsonb(e) as row from tasker.exchange_steps(tasker_test.worker(), p_namespaces => '{test}', p_limit => 1, p_lease_seconds => 77) as e;
select set_eq(
  'select k from exchanged cross join lateral jsonb_object_keys(row) as k where k not in ($k$answer$k$, $k$next_retry_at$k$)',
  'select k from claimed cross join lateral jsonb_object_keys(row) as k', 'the row has every column of a claim'
);
select is(
  (select e.row - '{answer,next_retry_at,step_uuid,step_no,name,handler}'::text[] from exchanged as e),
  (select c.row - '{step_uuid,step_no,name,handler}'::text[] from claimed as c), 'the row has the values of a claim'
);

select * from finish();
rollback;
