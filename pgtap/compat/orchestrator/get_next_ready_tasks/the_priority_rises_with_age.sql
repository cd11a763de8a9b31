begin;
select plan(2);

select is_empty(
  $$
  select p.priority, p.computed, p.before
    from (
      select m.priority, m.hours,
             tasker.computed_task_priority(m.priority, 0, tasker.clock() - make_interval(hours => m.hours)) as computed,
             lag(tasker.computed_task_priority(m.priority, 0, tasker.clock() - make_interval(hours => m.hours)))
               over (partition by m.priority order by m.hours) as before
        from (select p.priority, h.hours
                from (values (-100), (-1), (0), (1), (10), (100)) as p (priority)
               cross join generate_series(0, 100, 5) as h (hours)) as m
    ) as p
   where p.hours > 0
     and (p.computed > p.before) is not true
  $$,
  'the computed priority rises with the age for every priority'
);
select is(
  tasker.computed_task_priority(10, 0, tasker.clock() - interval '25 hours')
    > tasker.computed_task_priority(1, 0, tasker.clock()),
  true, 'an older task of higher priority stays above a newer one of lower priority'
);

select * from finish();
rollback;
