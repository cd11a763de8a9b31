create domain tasker.join_mode as text
  constraint join_mode_check
    check (value in ('all', 'any', 'settled', 'first'));

comment on domain tasker.join_mode is
  'The parents that must have succeeded before a step runs. The mode all needs all parents, any needs one of them, and settled needs none. These three modes wait until all parents have settled. The mode first needs one success and does not wait for the other parents.';
