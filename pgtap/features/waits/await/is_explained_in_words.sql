begin;
select plan(6);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[
  {"name": "approve", "await": [{"signal": "approved"}, {"signal": "rejected"}], "timeout": "3d", "on_timeout": "skip", "assignee": "finance"},
  {"name": "sleep", "await": {"for": "1h"}},
  {"name": "either", "await": [{"signal": "go"}, {"for": "1h"}]},
  {"name": "ask", "await": {"signal": "asked"}},
  {"name": "late", "await": {"signal": "asked"}, "timeout": 60},
  {"name": "on", "await": {"signal": "asked"}, "timeout": 60, "on_timeout": "complete"}
]');
select is(
  (select e.summary from tasker.explain_step(tasker_test.the_step(c.step)) as e),
  replace(c.words, 'TASK', tasker_test.the_task()::text), c.step
)
  from (values
    ('approve', 'It waits for signal "approved" or "rejected" from finance: select * from tasker.send_signal(''TASK'', ''approved'', payload). At 2026-11-25 12:00:00Z it is skipped, unless the signal comes before.'),
    ('sleep', 'It waits until 2026-11-22 13:00:00Z.'),
    ('either', 'It waits for signal "go": select * from tasker.send_signal(''TASK'', ''go'', payload). At 2026-11-22 13:00:00Z it goes on without one.'),
    ('ask', 'It waits for signal "asked": select * from tasker.send_signal(''TASK'', ''asked'', payload).'),
    ('late', 'It waits for signal "asked": select * from tasker.send_signal(''TASK'', ''asked'', payload). At 2026-11-22 12:01:00Z it fails, unless the signal comes before.'),
    ('on', 'It waits for signal "asked": select * from tasker.send_signal(''TASK'', ''asked'', payload). At 2026-11-22 12:01:00Z it is complete without it, unless the signal comes before.')
  ) as c (step, words);

select * from finish();
rollback;
