begin;
select plan(7);

select tasker_test.freeze_tasklib('2026-03-01 12:00+00');
select tasker_test.register_echo('{"max_retries": 3}');
select tasker_test.echo() as a \gset
select tasker_test.echo() as b \gset
select tasker_test.echo() as c \gset
create view pg_temp.due as
  select array_agg(extract(epoch from t.scheduled_at - tasklib.clock())::integer || case when t.ready then ' ready' else '' end order by t.id) as due
    from tasklib.tasks as t;

select from tasker_test.claim_echo(3);
select tasker_test.pass('10 minutes');
select tasklib.recover_dead();
select is((select d.due from pg_temp.due as d), '{0 ready,0 ready,0 ready}', 'after their first loss they run again at once');
select from tasker_test.claim_echo(3);
select tasker_test.pass('10 minutes');
select tasklib.recover_dead();
select is((select d.due from pg_temp.due as d), '{0 ready,10,20}', 'after the second one they run again one after the other');
select matches(
  (select t.error from tasklib.tasks as t where t.id = :'a'), 'with those of 2 more tasks$', 'the error says how many were lost together'
);

-- The one that kills its process dies alone now, until its retries are used up; its neighbours complete.
create function pg_temp.claimed() returns setof uuid language sql as $$ select c.id from tasker_test.claim_echo(3) as c $$;
select results_eq('select pg_temp.claimed()', array[:'a']::uuid[], 'one of them is claimed alone');
select tasker_test.pass('10 seconds');
select results_eq('select pg_temp.claimed()', array[:'b']::uuid[], 'and then the next one');
select tasker_test.complete_echo(:'b', 3);
select tasker_test.pass('10 seconds');
select from pg_temp.claimed();
select tasker_test.complete_echo(:'c', 3);
select tasker_test.pass('10 minutes');
select from pg_temp.claimed();
select tasker_test.pass('10 minutes');
select tasklib.recover_dead();
select is(
  (select array_agg(t.state::text order by t.id) from tasklib.tasks as t), '{failed,completed,completed}', 'the guilty one fails, the others complete'
);
select is(
  (select t.error from tasklib.tasks as t where t.id = :'a') ~ 'with those of', false, 'its last error names no others'
);

select * from finish();
rollback;
