begin;
select plan(8);

select tasker_test.subscribe();
select tasker_test.register('one', 'a');
create function pg_temp.make(p_from integer, p_to integer) returns void language plpgsql as $$
begin
  for i in p_from .. p_to loop
    perform from tasker.create_task('test', 'one', jsonb_build_object('no', i));
  end loop;
end;
$$;
create function pg_temp.begin_to_read() returns void language plpgsql as $$
begin
  -- The first read lists the events of the window; the reads after it plan the queries that read the list.
  for i in 1 .. 3 loop
    perform tasker_test.acknowledge((select r.place from tasker_test.read(5) as r offset 4));
  end loop;
  perform tasker_test.read(5);
end;
$$;
select pg_temp.make(1, 25);
select from tasker.replay_events('all', '2026-03-01 12:00+00');
select pg_temp.begin_to_read();
select tasker_test.buffers('select tasker_test.read(5)') as few \gset
delete from tasker.feed_lists;
select is((select count(*) > 0 from tasker_test.read(5)), true, 'a deleted list is created again');
select pg_temp.make(26, 250);
select from tasker.replay_events('all', '2026-03-01 12:00+00');
select pg_temp.begin_to_read();
select cmp_ok(
  (select count(*) from tasker.feed_lists), '>=', 5::bigint, 'one read lists the events of many batches'
);
select cmp_ok(
  tasker_test.buffers('select tasker_test.read(5)'), '<', (:few + 15)::bigint, 'a batch of a large window costs no more than one of a small window'
);
select cmp_ok(
  tasker_test.buffers('select tasker_test.read(1)'), '<', (:few + 15)::bigint, 'a smaller batch costs no more either'
);

create temporary table got (event_uuid uuid, place text, no serial);
create function pg_temp.drain() returns integer language plpgsql as $$
declare
  v_place text;
begin
  for i in 0 .. 500 loop
    -- Batches of all sizes, across the rows of the list.
    insert into got (event_uuid, place) select r.event_uuid, r.place from tasker_test.read(1 + i * 37 % 250) as r;
    exit when not found;
    select g.place into v_place from got as g order by g.no desc limit 1;
    perform tasker_test.acknowledge(v_place);
  end loop;
  return (select count(*) from got);
end;
$$;
select from tasker.replay_events('all', '2026-03-01 12:00+00');
select tasker_test.read(1);
select is((select sum(cardinality(l.finds)) from tasker.feed_lists as l), 100::bigint, 'a batch of one event lists a hundred events');
select pg_temp.drain() as read \gset
select is(:read, (select count(distinct g.event_uuid)::integer from got as g), 'batches do not overlap');
select is(
  (select count(*) from got),
  (select count(*) from tasker.workflow_step_transition_log) + (select count(*) from tasker.task_transition_log) + (select count(*) from tasker.tasks),
  'the batches have all events of the window'
);
select is_empty('select from tasker.feed_lists', 'acknowledged events are deleted from the list');

select * from finish();
rollback;
