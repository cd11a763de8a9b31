begin;
select plan(4);

select tasker_test.subscribe();
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{}');
select tasker.set_setting('dead_events', '2');
create function pg_temp.bury() returns void language plpgsql as $$
declare
  r record;
begin
  for i in 1 .. 3 loop
    select e.* into r from tasker_test.read(1) as e;
    perform tasker.bury_event('all', '01980000-0000-7000-8000-00000000000b', r.place, r.event_uuid, to_jsonb(r.event), 'x');
    perform tasker_test.pass('1 second');
  end loop;
end;
$$;
select pg_temp.bury();
select results_eq(
  $$ select d.event #>> '{}' from tasker.list_dead_events('all') as d $$, $$ values ('ReadyStepsFound'), ('Start') $$, 'the two newest events are kept and listed newest first'
);
select is((select count(*) from tasker.list_dead_events('all', 1)), 1::bigint, 'the limit is applied');
select throws_ok($$ select tasker.list_dead_events('nothing') $$, 'TK404', 'subscription "nothing" does not exist', 'an unknown subscription is refused');
select throws_ok($$ select tasker.list_dead_events('all', 0) $$, 'TK422', 'a limit of 0 is out of range', 'a limit of 0 is refused');

select * from finish();
rollback;
