create type tasker.queue_lane as enum (
  'high', 'normal', 'low', 'running', 'results', 'limited', 'published_high', 'published_normal', 'published_low',
  'paused'
);

comment on type tasker.queue_lane is
  'Which claim takes a row of tasker.step_queue: workers take high, normal and low. Rows in limited wait for a place in their limit, which a claim gives them. Rows in running have a worker. Rows in results wait for an orchestrator. Rows in paused belong to a paused task. Messages of a broker carry the rows in published_high, published_normal and published_low.';
