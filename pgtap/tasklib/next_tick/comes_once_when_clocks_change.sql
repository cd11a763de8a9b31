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
-- Berlin: on 29 March 2026 clocks go from two to three, on 25 October from three to two.
select results_eq(
  $$ select pg_temp.ticks('30 2 * * *', 'Europe/Berlin', '2026-03-27 12:00+00', 3) $$,
  $$ values ('2026-03-28 02:30+01'::timestamptz), ('2026-03-29 03:30+02'), ('2026-03-30 02:30+02') $$, 'a skipped time ticks an hour later'
);
select results_eq(
  $$ select pg_temp.ticks('30 2 * * *', 'Europe/Berlin', '2026-10-24 12:00+00', 2) $$,
  $$ values ('2026-10-25 02:30+02'::timestamptz), ('2026-10-26 02:30+01') $$, 'a repeated time ticks at its first occurrence'
);
select results_eq(
  $$ select pg_temp.ticks('0,30 * * * *', 'Europe/Berlin', '2026-10-24 23:40+00', 6) $$,
  $$ values ('2026-10-25 00:00+00'::timestamptz), ('2026-10-25 00:30+00'), ('2026-10-25 01:00+00'), ('2026-10-25 01:30+00'), ('2026-10-25 02:00+00'), ('2026-10-25 02:30+00') $$,
  'a tick each half hour also ticks in the repeated hour'
);
select results_eq(
  $$ select pg_temp.ticks('0,30 * * * *', 'Europe/Berlin', '2026-03-29 00:10+00', 3) $$,
  $$ values ('2026-03-29 00:30+00'::timestamptz), ('2026-03-29 01:00+00'), ('2026-03-29 01:30+00') $$, 'a tick each half hour leaves out the skipped hour'
);
select results_eq(
  $$ select pg_temp.ticks('15 2 * * *', 'Australia/Lord_Howe', '2026-10-02 12:00+00', 2) $$,
  $$ values ('2026-10-02 15:45+00'::timestamptz), ('2026-10-03 15:45+00') $$, 'a change by half an hour moves a skipped time by half an hour'
);

select * from finish();
rollback;
