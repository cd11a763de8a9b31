create type tasker.queue_lane as enum ('high', 'normal', 'low', 'running', 'results');

comment on type tasker.queue_lane is
  'Who takes a row of tasker.step_queue, and in which turn: workers take high, normal and low; running ones have a worker, results wait for an orchestrator.';
