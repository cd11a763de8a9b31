create domain tasker.task_path as smallint
  constraint task_path_check
    check (value between 1 and 49 or value between 1001 and 1017 or value between 2001 and 2008 or value = 3001);

comment on domain tasker.task_path is
  'The number of a path in the task log. tasker.task_log_paths has the transitions of each path. The thousands of the number show the end of the path: 1 for error, 2 for cancelled, 3 for resolved by hand. The check refuses a number that has no path. A number is never used again for another path.';
