begin;
select plan(13);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[
  {"name": "approve", "description": "Look at the order.", "await": [{"signal": "approved", "schema": {"type": "object"}}, {"signal": "rejected"}], "timeout": "3d", "assignee": "finance"}
]');
select tasker_test.pass('1 hour');
select tasker_test.create_waiting('parcel', '[{"name": "sleep", "await": {"for": "1d"}}, {"name": "hand_over", "await": {"signal": "handed_over"}}]');
prepare inbox (text, text, text, text, interval) as
  select w.step_name from tasker.list_waits($1, $2, $3, $4, $5) as w;

select results_eq(
  $$ select w.task_name, w.step_name, w.description, w.waiting_since, w.due_at, w.on_timeout, w.assignee, w.signals, w.await from tasker.list_waits() as w $$,
  $$ values
    ('order', 'approve', 'Look at the order.', timestamptz '2026-11-22 12:00:00+00', timestamptz '2026-11-25 12:00:00+00', 'fail', 'finance',
     array['approved', 'rejected'], '[{"signal": "approved", "schema": {"type": "object"}}, {"signal": "rejected"}]'::jsonb),
    ('parcel', 'hand_over', null, '2026-11-22 13:00:00+00', null, 'fail', null, array['handed_over'], '[{"signal": "handed_over"}]') $$,
  'each step that waits for a signal, once, longest waiting first'
);
select results_eq(
  $$ select w.step_name from tasker.list_waits(p_task_uuid => (select t.task_uuid from tasker.list_tasks(p_name => 'parcel') as t)) as w $$,
  array['hand_over'], 'p_task_uuid filters by task'
);
select results_eq('execute inbox (null, ''order'', null, null, null)', array['approve'], 'p_template filters by template');
select results_eq('execute inbox (null, null, ''rejected'', null, null)', array['approve'], 'p_signal filters by signal');
select results_eq('execute inbox (null, null, null, ''finance'', null)', array['approve'], 'p_assignee filters by assignee');
select results_eq('execute inbox (null, null, null, null, ''30 minutes'')', array['approve'], 'p_older_than filters by age');
select results_eq('execute inbox (''test'', null, null, null, null)', array['approve', 'hand_over'], 'p_namespace filters by namespace');
select is_empty('execute inbox (''other'', null, null, null, null)', 'another namespace has an inbox of its own');
select results_eq(
  $$ select w.step_name from tasker.list_waits(p_limit => 1) as w $$, array['approve'], 'p_limit limits a page'
);
select results_eq(
  $$ select w.step_name from tasker.list_waits() as l cross join lateral tasker.list_waits(p_after_since => l.waiting_since, p_after_step => l.step_uuid) as w where l.step_name = 'approve' $$,
  array['hand_over'], 'the next page begins after the last row'
);
select throws_ok('select * from tasker.list_waits(p_limit => 0)', 'TK422', 'a limit of 0 is out of range', 'a limit out of range is refused');
select throws_ok('select * from tasker.list_waits(p_after_since => now())', 'TK422', 'a page begins after a wait: p_after_since and p_after_step come together', 'a cursor without its second part is refused');
select throws_ok('select * from tasker.list_waits(p_older_than => ''-1 day'')', 'TK422', 'an age of -1 days is below zero', 'a negative age is refused');

select * from finish();
rollback;
