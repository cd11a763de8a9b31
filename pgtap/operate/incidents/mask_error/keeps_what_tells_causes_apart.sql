begin;
select plan(13);

select is(tasker.mask_error('charge order 71: unexpected status 503 (request 0b9c)'), 'charge order # unexpected status 503 (request #)', 'numbers and identifiers are masked, the status of an answer is not');
select isnt(tasker.mask_error('unexpected status 503'), tasker.mask_error('unexpected status 429'), 'two statuses are two causes');
select is(tasker.mask_error('Post "https://api.example/v1/x/77": dial tcp 10.0.0.1:443: connection refused'), 'Post #: dial tcp # connection refused', 'addresses are masked');
select is(tasker.mask_error('null value in column "amount" violates it (SQLSTATE 23502)'), 'null value in column amount violates it (SQLSTATE 23502)', 'names of columns and an SQLSTATE stay');
select is(tasker.mask_error(E'boom 7\n    at f (a.js:1:2)\n    at g (b.js:3:4)'), 'boom #', 'a stack is not part of the cause');
select is(tasker.mask_error(E'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: no amount'), 'ValueError: no amount', 'of a Python traceback the last line counts');
select is(tasker.mask_error('订单17支付失败：余额不足'), '订单#支付失败：余额不足', 'letters of other scripts stay');
select is(tasker.mask_error(repeat('x', 100000)), repeat('x', 300), 'a long text is cut');
select is(tasker.mask_error('[class=card_declined] card of ann@example.org: try "4"'), 'card_declined', 'a class that the worker gives replaces the masked text');
select is(tasker.mask_error('charge order 7: [class=card_declined] no'), tasker.mask_error('[class=card_declined] card of ben'), 'wherever it stands in the head');
select is(
  tasker.mask_error(E'Traceback (most recent call last):\n  File "a.py", line 3, in f\nshop.Declined: [class=card_declined] no'), 'card_declined', 'in the last line of a traceback, too'
);
select is(tasker.mask_error('[class=] no'), '[class=] no', 'an empty class is none');
select is(tasker.mask_error('[class=' || repeat('x', 65) || '] no'), '[class=' || repeat('x', 65) || '] no', 'nor is a longer one than 64 characters');

select * from finish();
rollback;
