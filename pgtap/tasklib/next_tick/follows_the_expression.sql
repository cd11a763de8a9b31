begin;
select plan(3);

select results_eq(
  $$ select c.cron, tasklib.next_tick(c.cron, 'UTC', '2026-03-01 12:34:56+00') as tick
       from (values ('* * * * *'), ('*/15 * * * *'), ('0 9-17/4 * * *'), ('5 4 * * sun'), ('0 0 1 jan *'), ('0 0 29 2 *'),
                    ('10,20,50 12 * * *'), ('0 0 13 * 5'), ('@hourly'), ('@weekly'), ('0 0 * * 7'), ('30 6 * * mon-fri'), ('5/20 * * * *')) as c (cron) $$,
  $$ values ('* * * * *', '2026-03-01 12:35+00'::timestamptz), ('*/15 * * * *', '2026-03-01 12:45+00'), ('0 9-17/4 * * *', '2026-03-01 13:00+00'),
            ('5 4 * * sun', '2026-03-08 04:05+00'), ('0 0 1 jan *', '2027-01-01 00:00+00'), ('0 0 29 2 *', '2028-02-29 00:00+00'),
            ('10,20,50 12 * * *', '2026-03-01 12:50+00'), ('0 0 13 * 5', '2026-03-06 00:00+00'), ('@hourly', '2026-03-01 13:00+00'),
            ('@weekly', '2026-03-08 00:00+00'), ('0 0 * * 7', '2026-03-08 00:00+00'), ('30 6 * * mon-fri', '2026-03-02 06:30+00'),
            ('5/20 * * * *', '2026-03-01 12:45+00') $$,
  'lists, ranges, steps and names work, and either day matches when both day fields are set'
);
select is(tasklib.next_tick('0 * * * *', 'UTC', '2026-03-01 12:00+00'), '2026-03-01 13:00+00'::timestamptz, 'the tick is after the given time, not at it');
select is(tasklib.next_tick('0 9 * * *', 'America/New_York', '2026-01-10 00:00+00'), '2026-01-10 14:00+00'::timestamptz, 'the tick is computed in the time zone');

select * from finish();
rollback;
