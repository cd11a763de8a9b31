create type tasker.timer_kind as enum (
  'start_task', 'retry_step', 'task_deadline', 'fire_schedule', 'end_wait', 'expand_map', 'start_child', 'child_ended', 'cancel_child'
);

comment on type tasker.timer_kind is
  'What happens when a timer of tasker.timers is due. The last three are notes between tasks, due at once.';
