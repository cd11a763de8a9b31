create domain tasker.task_path as smallint
  constraint task_path_check
    check (value between 1 and 49 or value between 1001 and 1017 or value between 2001 and 2008 or value = 3001);

comment on domain tasker.task_path is
  'The number of a path in the task log. tasker.task_log_paths has the transitions of each path. The thousands say how the path ends: 1 in error, 2 cancelled, 3 resolved by hand. The check refuses a number without a path, for every writer. A number is never used again for another path.';
