create domain tasker.step_path as smallint
  constraint step_path_check
    check (value between 1 and 77 or value between 1001 and 1010);

comment on domain tasker.step_path is
  'The number of a path in the step log. tasker.step_log_paths has the transitions of each path. Numbers from 1,000 on are paths of failed results. The check refuses a number that has no path. A number is never used again for another path.';
