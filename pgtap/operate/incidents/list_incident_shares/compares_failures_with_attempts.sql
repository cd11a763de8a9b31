begin;
select plan(10);

-- Two workers of the old version and one of the new one, which fails. Each step is of one of two tenants.
select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker.register_namespace('test');
select tasker.register_worker(tasker_test.worker(1), 'host-1', '{test}', '{charge}', '1.4.2');
select tasker.register_worker(tasker_test.worker(2), 'host-2#2', '{test}', '{charge}', '1.4.2');
select tasker_test.pass('8 days');
select tasker.heartbeat_worker(tasker_test.worker(n)) from generate_series(1, 2) as n;
select tasker.register_worker(tasker_test.worker(3), 'host-3', '{test}', '{charge}', '1.5.0');
select tasker.register_worker(tasker_test.worker(4), 'host-4', '{elsewhere}', '{charge}', '9.9.9') from tasker.register_namespace('elsewhere');
select tasker_test.register_as('order', '{}', 'charge');

create function pg_temp.work(p_worker integer, p_many integer, p_error text, p_tenant text)
  returns void
  language plpgsql
as $$
begin
  perform tasker.create_task('test', 'order', jsonb_build_object('customer', jsonb_build_object('id', p_tenant), 'no', gen_random_uuid()), p_tags => array['tenant:' || p_tenant, 'x'])
     from generate_series(1, p_many) as g;
  create temporary table claimed on commit drop as
    select c.step_uuid, c.claim_no from tasker.claim_steps('{test}', tasker_test.worker(p_worker), p_limit => p_many) as c;
  if p_error is null then
    perform tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('{}'::jsonb)) from claimed as c;
  else
    perform tasker.fail_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg(p_error), p_permanent => array_agg(true)) from claimed as c;
  end if;
  drop table claimed;
end;
$$;

select pg_temp.work(1, 10, null, 'acme');
select pg_temp.work(2, 6, null, 'acme');
select pg_temp.work(2, 1, 'the bank is closed', 'acme');
select pg_temp.work(3, 3, 'the bank is closed', 'globex');
select tasker_test.judge();
select i.incident from tasker.list_incidents() as i where i.kind = 'failing' \gset
prepare shares as
  select s.dimension, s.value, s.failures, s.attempts from tasker.list_incident_shares(:'incident') as s order by s.dimension, s.failures desc, s.attempts desc, s.value;

select results_eq('execute shares', $$
  values ('version', '1.5.0', 3::bigint, 3::bigint), ('version', '1.4.2', 1, 17),
    ('worker', 'host-3', 3, 3), ('worker', 'host-1', 0, 10), ('worker', 'host-2', 1, 7)
  order by 1, 3 desc, 4 desc, 2
$$, 'versions and workers have their failures beside all attempts; without the setting there are no tenants');
select results_eq(
  format($$ select s.failed_share, s.attempted_share from tasker.list_incident_shares(%L) as s where s.value = '1.5.0' $$, :'incident'),
  $$ values (0.75::double precision, 0.15::double precision) $$, 'the new version has three quarters of the failures, and 15 % of the attempts'
);
select results_eq(
  format($$ select s.value, s.first_at = tasker.clock() from tasker.list_incident_shares(%L) as s where s.first_at is not null $$, :'incident'),
  $$ values ('1.5.0', true) $$, 'the version of this week is a deployment; the one of another namespace is not its handler''s'
);
select tasker.set_setting('tenant', 'context:customer.id');
select results_eq(
  format($$ select s.value, s.failures, s.attempts from tasker.list_incident_shares(%L) as s where s.dimension = 'tenant' $$, :'incident'),
  $$ values ('globex', 3::bigint, 3::bigint), ('acme', 1, 17) $$, 'a path of the context names the tenant'
);
select tasker.set_setting('tenant', 'tag:tenant:');
select results_eq(
  format($$ select s.value, s.failures, s.attempts from tasker.list_incident_shares(%L) as s where s.dimension = 'tenant' $$, :'incident'),
  $$ values ('globex', 3::bigint, 3::bigint), ('acme', 1, 17) $$, 'so does the beginning of a tag'
);
select tasker.set_setting('tenant', 'tag:region:');
select results_eq(
  format($$ select s.value, s.failures, s.attempts from tasker.list_incident_shares(%L) as s where s.dimension = 'tenant' $$, :'incident'),
  $$ values ('unknown', 4::bigint, 20::bigint) $$, 'tasks without such a tag are of an unknown tenant'
);
select throws_ok($$ select tasker.set_setting('tenant', 'customer') $$, 'TK422', 'setting "tenant" cannot be "customer"', 'a tenant that is neither tag nor path is refused');
select throws_ok($$ select tasker.set_setting('tenant', 'context:') $$, 'TK422', 'setting "tenant" cannot be "context:"', 'so is a path of nothing');
select throws_ok($$ select tasker.list_incident_shares('failing:7') $$, 'TK404', 'no cause of failures is called "failing:7"', 'an unknown cause is refused');

-- Work of others beside it does not count, and a retry that passed is no failure any more.
select tasker.retry_step(s.step_uuid) from tasker.list_incident_steps(:'incident') as s;
select tasker_test.pass('1 second');
select tasker.complete_steps(array_agg(c.step_uuid), array_agg(c.claim_no), array_agg('{}'::jsonb)) from tasker.claim_steps('{test}', tasker_test.worker(1), p_limit => 9) as c;
select tasker_test.judge();
select is(
  (select sum(s.failures) from tasker.list_incident_shares(:'incident') as s where s.dimension = 'version'), 0::numeric, 'steps that have gone on are no failures'
);

select * from finish();
rollback;
