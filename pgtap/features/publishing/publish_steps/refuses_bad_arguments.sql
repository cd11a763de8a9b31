begin;
select plan(9);

select tasker_test.freeze();
select tasker.register_namespace('test', p_transport => 'broker');
select tasker_test.remember_rows();
select throws_ok($$ select tasker.publish_steps('nowhere', 'normal') $$, 'TK404', 'namespace "nowhere" does not exist', 'an unknown namespace is refused');
select throws_ok($$ select tasker.publish_steps(null, 'normal') $$, 'TK404', 'namespace null does not exist', 'a null namespace is refused');
prepare refused (text, integer, bigint, integer) as select tasker.publish_steps('test', $1, $2, $3, $4);
select throws_ok($$ execute refused ('limited', 1, 0, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'a lane that is not published is refused');
select throws_ok($$ execute refused (null, 1, 0, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'a null lane is refused');
select throws_ok($$ execute refused ('normal', 0, 0, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'a limit of 0 is refused');
select throws_ok($$ execute refused ('normal', 1001, 0, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'a limit of 1,001 is refused');
select throws_ok($$ execute refused ('normal', 1, -1, 60) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'a negative depth is refused');
select throws_ok($$ execute refused ('normal', 1, 0, 0) $$, 'TK422', 'steps of namespace "test" cannot be published with these values', 'a delay of 0 seconds is refused');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
