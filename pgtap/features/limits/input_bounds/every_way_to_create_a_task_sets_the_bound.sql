begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.take_turn();
select from tasker.register_task_template('{"namespace": "test", "name": "bill", "identity_strategy": "caller_provided", "steps": [
  {"name": "charge", "limit": "bank", "limits": ["ledger", {"limit": "tenant", "limit_key": "$.customer", "limit_bound": "$.places", "limit_bound_max": 50}]}
]}');
select from tasker.register_task_template('{"namespace": "test", "name": "line", "identity_strategy": "always_unique", "runs": {"key": "$.customer"}, "steps": [
  {"name": "charge", "limit": "tenant", "limit_key": "$.customer", "limit_bound": "$.places", "limit_bound_max": 50}
]}');
select from tasker.register_task_template('{"namespace": "test", "name": "parent", "identity_strategy": "always_unique", "steps": [
  {"name": "start", "task": {"name": "bill", "context": {"customer": "$.customer", "places": "$.places"}}}
]}');
create function pg_temp.bounds() returns text language sql as $$
  select string_agg(l.name || ' ' || i.limit_key || ' ' || i.concurrency, ', ' order by l.name, i.limit_key, i.bound_no)
    from tasker.limit_input_bounds as i join tasker.limits as l on l.limit_no = i.limit_no
$$;

select from tasker.create_task('test', 'bill', '{"customer": "a", "places": 7}', p_identity_key => 'one');
select is(pg_temp.bounds(), 'tenant a 7', 'create_task sets the bound of a further limit');
select from tasker.create_task('test', 'bill', '{"customer": "a", "places": 7}', p_identity_key => 'one');
select is(pg_temp.bounds(), 'tenant a 7', 'a repeated request sets none');
select from tasker.create_task('test', 'bill', '{"customer": "a", "places": 8}', p_identity_key => 'two', p_start_at => tasker.clock() + interval '1 hour');
select is(pg_temp.bounds(), 'tenant a 8', 'a task that starts later sets it');
select from tasker.create_task('test', 'line', '{"customer": "a", "places": 9}');
select from tasker.create_task('test', 'line', '{"customer": "a", "places": 10}');
select is(pg_temp.bounds(), 'tenant a 10', 'a task that waits for its run sets it');
select from tasker.create_task('test', 'parent', '{"customer": "b", "places": 3}');
select tasker.fire_due_timers();
select is(pg_temp.bounds(), 'tenant a 10, tenant b 3', 'a step that starts a task sets it');
select from tasker.create_task('test', 'bill', '{"customer": "b", "places": 2}', p_identity_key => 'three');
select tasker.change_task((select t.task_uuid from tasker.tasks as t where t.context = '{"customer": "b", "places": 2}'), p_context => '{"customer": "b", "places": 6}', p_reason => 'a larger plan');
select is(pg_temp.bounds(), 'tenant a 10, tenant b 6', 'change_task sets it');
select from tasker.fork_task((select t.task_uuid from tasker.tasks as t where t.context = '{"customer": "a", "places": 7}'), 'charge');
select is(pg_temp.bounds(), 'tenant a 7, tenant b 6', 'a fork sets the bound of its input');

update tasker.limit_input_bounds as i set set_at = i.set_at - interval '364 days';
select from tasker.create_task('test', 'bill', '{"customer": "b", "places": 6}', p_identity_key => 'four');
update tasker.limit_input_bounds as i set set_at = i.set_at - interval '2 days';
select tasker.forget_limit_keys(100);
select is(pg_temp.bounds(), 'tenant b 6', 'a task renews a bound that it sets again; maintenance deletes bounds that no task has set for a year');
select results_eq(
  $$ select l.name, l.with_places, l.with_inputs from tasker.limits as l order by l.name $$,
  $$ values ('bank', true, true), ('ledger', true, true), ('tenant', true, true) $$, 'the limits of such steps are marked'
);

select * from finish();
rollback;
