begin;
select plan(6);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker_test.fail_orders(20);
select selection_uuid as set from tasker.create_selection('tasks', '{"state": "blocked_by_failures"}') \gset
select tasker.start_mass_action(:'set', 'reset', 20, 'the bank is open', p_canary_seconds => 60);
prepare actions as
  select i.incident, i.severity, i.namespace, i.entries, i.what from tasker.list_incidents() as i where i.kind = 'mass_action';
select tasker_test.mass();
select tasker_test.judge();
select is_empty('execute actions', 'an action that runs is no incident');
select tasker.stop_mass_action(:'set', 'ann');
select tasker_test.judge();
select is_empty('execute actions', 'nor is one that an operator has stopped, who knows of it');
select tasker.resume_mass_action(:'set', 'ann');
select tasker_test.pass('61 seconds');
select tasker_test.mass();
select tasker_test.judge();
select results_eq('execute actions', format($$
  values (%L, 'look_today', 'test', 19::bigint, 'A mass action (reset) stopped by itself: the outcome of 1 entry is not known after 60 seconds')
$$, 'mass_action:' || :'set'), 'one that its canary has stopped waits for a person');
select is(
  (select m.figures ->> 'selection' from tasker.list_incidents() as m where m.kind = 'mass_action'), :'set', 'it names the selection'
);
select tasker.resume_mass_action(:'set', 'a worker was missing', 'ann');
select tasker_test.judge();
select is_empty('execute actions', 'it ends when the action goes on');
select is((select i.ended_at from tasker.list_incidents('mass_action:' || :'set') as i), tasker.clock(), 'and is kept for a week');

select * from finish();
rollback;
