create type tasker.queue_lane as enum (
  'high', 'normal', 'low', 'running', 'results', 'limited', 'published_high', 'published_normal', 'published_low',
  'paused'
);

comment on type tasker.queue_lane is
  'The lane of a row of tasker.step_queue, which decides which claim takes the row. Workers take rows from the lanes high, normal and low. Rows in the lane limited wait until a claim gives them a place in their limit. Rows in the lane running have a worker. Rows in the lane results wait for an orchestrator. Rows in the lane paused belong to a paused task. Messages of a broker carry the rows in the lanes published_high, published_normal and published_low.';
