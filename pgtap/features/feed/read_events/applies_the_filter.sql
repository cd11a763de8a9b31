begin;
select plan(5);

select tasker_test.subscribe();
select tasker_test.register('one', 'a');
select tasker_test.register('two', 'a', 'b a');
select from tasker.create_task('test', 'one', '{}');
select from tasker.create_task('test', 'two', '{}');
select tasker.register_namespace('other');

create function pg_temp.shown(p_filter jsonb) returns text language plpgsql as $$
begin
  perform tasker.unsubscribe('all');
  perform from tasker.subscribe('all', p_filter);
  update tasker.subscriptions set snapshot = '3:3:';
  return (select string_agg(distinct concat_ws(' ', r.task_name, r.kind, r.event), ', ' order by concat_ws(' ', r.task_name, r.kind, r.event)) from tasker_test.read() as r);
end;
$$;
select is(pg_temp.shown('{"templates": ["one"], "kinds": ["step"]}'), 'one step Enqueue', 'a filter selects by template and kind');
select is(pg_temp.shown('{"events": ["Create", "Enqueue"]}'), 'one step Enqueue, one task Create, two step Enqueue, two task Create', 'a filter selects by event');
select is(pg_temp.shown('{"namespaces": ["other"]}'), null, 'a filter selects by namespace');
select is(pg_temp.shown('{"namespaces": ["test"], "events": ["Create"], "templates": ["two"]}'), 'two task Create', 'a filter combines its conditions');
select is((select s.templates from tasker.list_subscriptions() as s), '{two}', 'list_subscriptions shows the filter');

select * from finish();
rollback;
