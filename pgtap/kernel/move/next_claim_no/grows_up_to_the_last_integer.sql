begin;
select plan(6);

select ok(
  (select min(tasker.next_claim_no(0)) >= 1 and max(tasker.next_claim_no(0)) <= 1048576 from generate_series(1, 1000)),
  'the first number is between 1 and 2^20'
);
select ok(
  (select count(distinct tasker.next_claim_no(0)) > 900 from generate_series(1, 1000)), 'the first number is random'
);
select ok(
  (select bool_and(tasker.next_claim_no(n) > n) from generate_series(0, 2147483640, 9973) as n), 'each number is greater than the one before it'
);
select ok(
  (select bool_and(tasker.next_claim_no(2147400000) between 2147400001 and 2147400002) from generate_series(1, 100)),
  'a number near the end grows by one or two'
);
select is(tasker.next_claim_no(2147483646), 2147483647, 'the last number is the largest integer');
select ok(
  (select bool_and(tasker.next_claim_no(2147483647) between 1 and 1048576) from generate_series(1, 1000)), 'after it the numbers begin again'
);

select * from finish();
rollback;
