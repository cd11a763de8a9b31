begin;
select plan(5);

select tasker_test.take_turn();
select tasker.register_namespace('test');
select tasker.set_limit('test', 'stripe', 3, 10, 60, 5);
select tasker.set_limit('test', 'stripe', 3, 10, 60, 5, p_actor => 'eve');
select results_eq(
  'select l.version, l.concurrency, l.rate, l.per_seconds, l.burst from tasker.limits as l',
  'values (2, 3, 10, 60, 5)', 'the same bounds do not change the version'
);
select is((select l.updated_by from tasker.limits as l), tasker.caller_name(), 'the same bounds do not change who set them');
select is((select l.updated_by from tasker.set_limit('test', 'stripe', 4, p_actor => 'eve') as l), 'eve', 'a change names its actor');
select results_eq(
  'select l.version, l.concurrency, l.rate, l.per_seconds, l.burst from tasker.limits as l',
  'values (3, 4, null::integer, 1, 1)', 'a change replaces all bounds'
);
select is((select l.handlers from tasker.list_limits('test') as l), '{}', 'a limit that no step names has no handlers');

select * from finish();
rollback;
