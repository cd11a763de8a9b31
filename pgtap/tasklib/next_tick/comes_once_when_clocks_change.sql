begin;
select plan(5);

create function pg_temp.ticks(p_cron text, p_zone text, p_from timestamptz, p_count integer)
  returns setof timestamptz language plpgsql as $$
begin
  for i in 1 .. p_count loop
    p_from := tasklib.next_tick(p_cron, p_zone, p_from);
    return next p_from;
  end loop;
end;
$$;
-- Berlin: on 29 March 2026 two o'clock is three o'clock, on 25 October three o'clock is two o'clock.
select results_eq(
  $$ select pg_temp.ticks('30 2 * * *', 'Europe/Berlin', '2026-03-27 12:00+00', 3) $$,
  $$ values ('2026-03-28 02:30+01'::timestamptz), ('2026-03-29 03:30+02'), ('2026-03-30 02:30+02') $$, 'a skipped time is an hour later'
);
select results_eq(
  $$ select pg_temp.ticks('30 2 * * *', 'Europe/Berlin', '2026-10-24 12:00+00', 2) $$,
  $$ values ('2026-10-25 02:30+02'::timestamptz), ('2026-10-26 02:30+01') $$, 'a repeated time counts the first time'
);
select results_eq(
  $$ select pg_temp.ticks('0,30 * * * *', 'Europe/Berlin', '2026-10-24 23:40+00', 6) $$,
  $$ values ('2026-10-25 00:00+00'::timestamptz), ('2026-10-25 00:30+00'), ('2026-10-25 01:00+00'), ('2026-10-25 01:30+00'), ('2026-10-25 02:00+00'), ('2026-10-25 02:30+00') $$,
  'every half hour goes on every half hour'
);
select results_eq(
  $$ select pg_temp.ticks('0,30 * * * *', 'Europe/Berlin', '2026-03-29 00:10+00', 3) $$,
  $$ values ('2026-03-29 00:30+00'::timestamptz), ('2026-03-29 01:00+00'), ('2026-03-29 01:30+00') $$, 'in spring too'
);
select results_eq(
  $$ select pg_temp.ticks('15 2 * * *', 'Australia/Lord_Howe', '2026-10-02 12:00+00', 2) $$,
  $$ values ('2026-10-02 15:45+00'::timestamptz), ('2026-10-03 15:45+00') $$, 'where clocks change by half an hour'
);

select * from finish();
rollback;
