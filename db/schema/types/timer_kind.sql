create type tasker.timer_kind as enum (
  'start_task', 'retry_step', 'task_deadline', 'fire_schedule', 'end_wait', 'expand_map', 'start_child', 'child_ended', 'cancel_child',
  'undo_task', 'match_wait', 'deliver_event'
);

comment on type tasker.timer_kind is
  'The action that follows when a timer of tasker.timers is due. start_child, child_ended and cancel_child are notes between tasks, due at once; undo_task is a note of a task to itself; the last two bring broadcasts and waits together, in a later transaction than the one that wrote them.';
