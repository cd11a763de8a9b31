create domain tasker.place as integer
  constraint place_check
    check (value > 0);

comment on domain tasker.place is
  'A place in an order, from 1. The check of this domain is cheaper than a check of the table, which PostgreSQL reads again in every statement that writes.';
