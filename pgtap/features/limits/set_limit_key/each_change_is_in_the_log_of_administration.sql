begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.limited('tenant', '$.key');
select tasker.set_limit_key('test', 'tenant', 'a', 1, p_actor => 'ann', p_reason => 'a flood');
select tasker.set_limit_key('test', 'tenant', 'a', 1, p_actor => 'ben', p_reason => 'again');
select tasker.set_limit_key('test', 'tenant', 'a', 2, p_actor => 'ben', p_reason => 'it ebbs');
select tasker.drop_limit_key('test', 'tenant', 'a', 'cat', 'it is over');
select results_eq(
  $$ select l.action, l.call, l.actor, l.reason, l.was ->> 'concurrency', l.becomes ->> 'concurrency', l.namespaces
       from tasker.list_administration('limit_bounds', 'test/tenant/a') as l $$,
  $$ values ('delete', 'drop_limit_key', 'cat', 'it is over', '2', null, '{test}'::text[]),
            ('update', 'set_limit_key', 'ben', 'it ebbs', '1', '2', '{test}'),
            ('insert', 'set_limit_key', 'ann', 'a flood', null, '1', '{test}') $$,
  'who bounded a key, why, and what it was; the same bounds again change nothing'
);
select tasker.set_limit_key('test', 'tenant', 'a', 1);
select tasker.drop_limit('test', 'tenant', 'cat');
select results_eq(
  $$ select l.action, l.call, l.actor from tasker.list_administration('limit_bounds', p_limit => 1) as l $$,
  $$ values ('delete', 'drop_limit', 'cat') $$, 'drop_limit removes the bounds of its keys, too'
);

select * from finish();
rollback;
