create domain tasker.join_mode as text
  constraint join_mode_check
    check (value in ('all', 'any', 'settled', 'first'));

comment on domain tasker.join_mode is
  'Which of its parents must have succeeded before a step runs: all of them, any one, or none, if all have settled; first: any one, without waiting for the others.';
