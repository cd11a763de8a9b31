begin;
select plan(3);

select tasker_test.subscribe('{"kinds": ["task"], "events": ["Create"]}');
select tasker_test.register('one', 'a');
create temporary table made (task_uuid uuid, no serial);
create function pg_temp.make() returns void language plpgsql as $$
begin
  for i in 1 .. 20 loop
    insert into made (task_uuid) select c.task_uuid from tasker.create_task('test', 'one', jsonb_build_object('no', i)) as c;
    perform tasker_test.pass(i * interval '1 minute');
  end loop;
end;
$$;
select pg_temp.make();
update tasker.subscriptions set slice_seconds = 1;

create temporary table got (task_uuid uuid, no serial);
create function pg_temp.drain() returns integer language plpgsql as $$
declare
  r record;
  n integer := 0;
begin
  for i in 1 .. 100 loop
    select e.* into r from tasker_test.read(1) as e;
    exit when not found;
    insert into got (task_uuid) values (r.task_uuid);
    perform tasker_test.acknowledge(r.place);
    n := n + 1;
  end loop;
  return n;
end;
$$;
select is(pg_temp.drain(), 20, 'every event of more than three hours is returned');
select results_eq('select g.task_uuid from got as g order by g.no', 'select m.task_uuid from made as m order by m.no', 'the events come in the order of time');
select is((select s.delivered from tasker.list_subscriptions('all') as s), 20::bigint, 'list_subscriptions counts the delivered events');

select * from finish();
rollback;
