create type tasker.timer_kind as enum (
  'start_task', 'retry_step', 'task_deadline', 'fire_schedule', 'end_wait', 'expand_map', 'start_child', 'child_ended', 'cancel_child',
  'undo_task', 'match_wait', 'deliver_event', 'advance_task', 'end_race', 'serve_run', 'start_within', 'hold_task'
);

comment on type tasker.timer_kind is
  'The action that follows when a timer of tasker.timers is due. The kinds start_child, child_ended and cancel_child are notes between tasks, due at once. The kinds undo_task, advance_task and end_race are notes of a task to itself. The kind serve_run starts the next tasks of the key that the task has or had. The kind start_within fails a step that no worker has started. The kinds match_wait and deliver_event bring broadcasts and waits together, in a later transaction than the one that wrote the broadcast or the wait. The kind hold_task marks a paused task and is never due.';
